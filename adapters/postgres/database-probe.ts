import { DatabaseProbe } from '../../application/ports/database-probe.js';
import type { Database } from './database.js';

export class PostgresProbe extends DatabaseProbe {
  constructor(private readonly database: Database) {
    super();
  }

  async ping(): Promise<void> {
    await this.database.pool.query('select 1');
  }
}
