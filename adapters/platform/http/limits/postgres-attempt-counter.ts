import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AttemptCounter } from '../../../../application/accounts/attempt-limits.js';
import { keepNewest } from '../../../../application/shared/keep-newest.js';
import { Database } from '../../database/database.js';

const SWEEP_EVERY = 500;
const NOW = sql<Date>`now()`;
/** The number of keys that are cached. */
const FULL_LIMIT = 20_000;

@Injectable()
export class PostgresAttemptCounter implements AttemptCounter {
  private sinceSweep = 0;
  /** When the windows of keys end whose attempts were all used. Refusing a flood thus needs no database. */
  private readonly full = new Map<string, Date>();

  constructor(private readonly database: Database) {}

  async count(key: string, windowMs: number, atMost = Infinity): Promise<{ hits: number; resetsAt: Date }> {
    const fullUntil = this.full.get(key);
    if (fullUntil && fullUntil > new Date()) return { hits: atMost + 1, resetsAt: fullUntil };
    const { hits, resetsAt } = await this.countOne(key, windowMs);
    if (hits <= atMost) return { hits, resetsAt };
    await this.forgive(key);
    keepNewest(this.full, key, resetsAt, FULL_LIMIT);
    return { hits: atMost + 1, resetsAt };
  }

  private async countOne(key: string, windowMs: number): Promise<{ hits: number; resetsAt: Date }> {
    if (++this.sinceSweep >= SWEEP_EVERY) {
      this.sinceSweep = 0;
      await this.database.db.deleteFrom('rate_limit').where('resets_at', '<=', NOW).execute();
    }
    return this.database.db
      .insertInto('rate_limit')
      .values({ key, hits: 1, resets_at: sql<Date>`now() + ${windowMs} * interval '1 ms'` })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet(({ eb, ref }) => {
          const ended = eb('rate_limit.resets_at', '<=', NOW);
          return {
            hits: eb
              .case()
              .when(ended)
              .then(1)
              .else(eb('rate_limit.hits', '+', 1))
              .end(),
            resets_at: eb
              .case()
              .when(ended)
              .then(ref('excluded.resets_at'))
              .else(ref('rate_limit.resets_at'))
              .end(),
          };
        }),
      )
      .returning(['hits', 'resets_at as resetsAt'])
      .executeTakeFirstOrThrow();
  }

  async forgive(key: string): Promise<void> {
    this.full.delete(key);
    await this.database.db
      .updateTable('rate_limit')
      .set(({ eb }) => ({ hits: eb('hits', '-', 1) }))
      .where('key', '=', key)
      .where('hits', '>', 0)
      .execute();
  }

  async reset(key: string): Promise<void> {
    this.full.delete(key);
    await this.database.db.deleteFrom('rate_limit').where('key', '=', key).execute();
  }
}
