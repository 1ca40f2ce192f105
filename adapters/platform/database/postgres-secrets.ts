import { randomBytes } from 'node:crypto';
import { Secrets } from '../../../application/shared/secrets.js';
import type { Database } from './database.js';

export class PostgresSecrets extends Secrets {
  constructor(private readonly database: Database) {
    super();
  }

  override async get(name: string): Promise<Buffer> {
    // Two nodes may ask for the first time together: the first one's bytes stay.
    await this.database.pool.query(
      `insert into secret (name, value) values ($1, $2) on conflict do nothing`,
      [name, randomBytes(32)],
    );
    const found = await this.database.pool.query(`select value from secret where name = $1`, [name]);
    return (found.rows[0] as { value: Buffer }).value;
  }
}
