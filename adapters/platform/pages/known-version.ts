import { Inject, Injectable } from '@nestjs/common';
import { CatalogueVersionQueries, type CatalogueVersion } from '../../../application/catalogue/queries.js';
import { isLostConnection } from '../../../application/shared/lost-connection.js';

/** The pause before a database that did not answer is asked again. */
const OUTAGE_MS = 1_000;

/** Which version public pages have to show, as long as there is somebody to ask. */
@Injectable()
export class KnownVersion {
  private outageUntil = 0;

  constructor(@Inject(CatalogueVersionQueries) private readonly version: CatalogueVersionQueries) {}

  /** @returns undefined while the database does not answer: then the last known pages are shown */
  async current(): Promise<CatalogueVersion | undefined> {
    if (Date.now() < this.outageUntil) return undefined;
    try {
      return await this.version.current();
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      this.outageUntil = Date.now() + OUTAGE_MS;
      return undefined;
    }
  }
}
