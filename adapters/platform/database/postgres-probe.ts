import { Inject, Injectable } from '@nestjs/common';
import { DatabaseProbe } from '../../../application/operations/database-probe.js';
import { CATALOGUE_DATABASE, type Database } from './database.js';
import { InlineVersions } from '../projections/inline-versions.js';
import { Replica } from './replica.js';

@Injectable()
export class PostgresProbe implements DatabaseProbe {
  /** @param catalogue the database that visitors' pages read */
  constructor(
    @Inject(CATALOGUE_DATABASE) private readonly catalogue: Database,
    private readonly versions: InlineVersions,
  ) {}

  isOutdated(): Promise<boolean> {
    return this.versions.areOutdated();
  }

  pingReplica(): Promise<void> | undefined {
    return this.catalogue instanceof Replica ? this.catalogue.ping() : undefined;
  }
}
