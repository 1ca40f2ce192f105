import { Inject, Injectable } from '@nestjs/common';
import { CatalogueVersionQueries, type CatalogueVersion } from '../../../application/catalogue/queries.js';
import { DatabaseOutage } from '../database/database-outage.js';
import { isLostConnection } from '../database/lost-connection.js';

/** Provides the catalogue version that public pages must show, while the database answers. */
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
