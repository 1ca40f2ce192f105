import { Inject, Injectable } from '@nestjs/common';
import { CatalogueVersionQueries, type CatalogueVersion } from '../../../application/catalogue/queries.js';
import { isLostConnection, DatabaseOutage } from '../database/lost-connection.js';

@Injectable()
export class KnownVersion {
  private readonly outage = new DatabaseOutage();

  constructor(@Inject(CatalogueVersionQueries) private readonly version: CatalogueVersionQueries) {}

  /** @returns undefined while the database does not answer; the last known pages are shown then */
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

/** Every purchase changes numbers on many pages. Each page is updated for that at most this often. */
const POPULARITY_MS = 10_000;
/** Content that changes with time alone, such as weekly charts, is updated after this time. */
const LIFETIME_MS = 60_000;

/** @returns `stale`: may be shown while one request renews it; `outdated`: shows content that is no longer true */
export function freshnessOf(
  made: Made,
  version: CatalogueVersion,
  now: number,
): 'fresh' | 'stale' | 'outdated' {
  if (made.structure !== version.structure) return 'outdated';
  const lifetime = made.popularity === version.popularity ? LIFETIME_MS : POPULARITY_MS;
  return now - made.at < lifetime ? 'fresh' : 'stale';
}
