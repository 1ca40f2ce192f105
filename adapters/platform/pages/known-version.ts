import { Inject, Injectable } from '@nestjs/common';
import { CatalogueVersionQueries, type CatalogueVersion } from '../../../application/catalogue/queries.js';
import { DatabaseOutage } from '../database/database-outage.js';
import { isLostConnection } from '../database/lost-connection.js';

/** Which version public pages have to show, as long as there is somebody to ask. */
@Injectable()
export class KnownVersion {
  private readonly outage = new DatabaseOutage();

  constructor(@Inject(CatalogueVersionQueries) private readonly version: CatalogueVersionQueries) {}

  /** @returns undefined while the database does not answer: then the last known pages are shown */
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
