import { Injectable } from '@nestjs/common';
import { AttemptCounter } from '../../../application/accounts/attempt-counter.js';
import { Database } from '../database/database.js';

/** Every so many attempts the windows that ended are swept. */
const SWEEP_EVERY = 500;

@Injectable()
export class PostgresAttemptCounter extends AttemptCounter {
  private sinceSweep = 0;

  constructor(private readonly database: Database) {
    super();
  }

  async count(key: string, windowMs: number): Promise<{ hits: number; resetsAt: Date }> {
    if (++this.sinceSweep >= SWEEP_EVERY) {
      this.sinceSweep = 0;
      await this.database.pool.query('delete from rate_limit where resets_at <= now()');
    }
    const { rows } = await this.database.pool.query<{ hits: number; resets_at: Date }>(
      `insert into rate_limit (key, hits, resets_at) values ($1, 1, now() + $2 * interval '1 ms')
       on conflict (key) do update set
         hits = case when rate_limit.resets_at <= now() then 1 else rate_limit.hits + 1 end,
         resets_at = case when rate_limit.resets_at <= now() then excluded.resets_at else rate_limit.resets_at end
       returning hits, resets_at`,
      [key, windowMs],
    );
    const row = rows[0] as { hits: number; resets_at: Date };
    return { hits: row.hits, resetsAt: row.resets_at };
  }

  async forgive(key: string): Promise<void> {
    await this.database.pool.query('update rate_limit set hits = hits - 1 where key = $1 and hits > 0', [
      key,
    ]);
  }

  async reset(key: string): Promise<void> {
    await this.database.pool.query('delete from rate_limit where key = $1', [key]);
  }
}
