import { DatabaseProbe } from '../../../application/operations/database-probe.js';
import type { Database } from './database.js';
import { Replica } from './replica.js';

export class PostgresProbe extends DatabaseProbe {
  /** @param catalogue where visitors' pages are read */
  constructor(
    private readonly database: Database,
    private readonly catalogue: Database,
  ) {
    super();
  }

  async ping(): Promise<void> {
    await this.database.pool.query('select 1');
  }

  pingReplica(): Promise<void> | undefined {
    return this.catalogue instanceof Replica ? this.catalogue.ping() : undefined;
  }
}
