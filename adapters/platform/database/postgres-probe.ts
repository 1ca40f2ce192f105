import { Inject, Injectable } from '@nestjs/common';
import { DatabaseProbe } from '../../../application/operations/database-probe.js';
import { CATALOGUE_DATABASE, Database } from './database.js';
import { Replica } from './replica.js';

@Injectable()
export class PostgresProbe implements DatabaseProbe {
  /** @param catalogue where visitors' pages are read */
  constructor(
    private readonly database: Database,
    @Inject(CATALOGUE_DATABASE) private readonly catalogue: Database,
  ) {}

  async ping(): Promise<void> {
    await this.database.pool.query('select 1');
  }

  pingReplica(): Promise<void> | undefined {
    return this.catalogue instanceof Replica ? this.catalogue.ping() : undefined;
  }
}
