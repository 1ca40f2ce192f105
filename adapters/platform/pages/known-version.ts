import { Inject, Injectable } from '@nestjs/common';
import { CatalogueVersionQueries, type CatalogueVersion } from '../../../application/catalogue/queries.js';
import { isLostConnection, DatabaseOutage } from '../database/lost-connection.js';

@Injectable()
export class KnownVersion {
  private readonly outage = new DatabaseOutage();

  constructor(@Inject(CatalogueVersionQueries) private readonly version: CatalogueVersionQueries) {}

  /** @returns undefined while the database does not answer; callers then send the last known pages */
  async current(): Promise<CatalogueVersion | undefined> {
    if (this.outage.lasts) return undefined;
    try {
      return await this.version.current();
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      this.outage.begin();
      return undefined;
    }
  }
}

export interface Made extends CatalogueVersion {
  at: number;
}

/** Every purchase changes numbers on many pages. A cached page is renewed for such a change at most this often. */
const POPULARITY_MS = 10_000;
/** A cached page is renewed after this time in any case, because some content, such as weekly charts, ages. */
const LIFETIME_MS = 60_000;

/** @returns `stale` if the page may be sent while one request renews it; `outdated` if its content is wrong by now */
export function freshnessOf(
  made: Made,
  version: CatalogueVersion,
  now: number,
): 'fresh' | 'stale' | 'outdated' {
  if (made.structure !== version.structure) return 'outdated';
  const lifetime = made.popularity === version.popularity ? LIFETIME_MS : POPULARITY_MS;
  return now - made.at < lifetime ? 'fresh' : 'stale';
}
