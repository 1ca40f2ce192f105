import { Injectable } from '@nestjs/common';
import type { BookCheck } from '../../application/ledger/contract.js';
import { BookChecks } from '../../application/ledger/nightly-check.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresBookChecks extends BookChecks {
  constructor(private readonly database: Database) {
    super();
  }

  override async claim(night: string, now: Date, abandonedBefore: Date): Promise<boolean> {
    const claimed = await this.database.pool.query(
      `insert into book_check (night, started_at) values ($1, $2)
       on conflict (night) do update set started_at = excluded.started_at
        where book_check.checked_at is null and book_check.started_at < $3`,
      [night, now, abandonedBefore],
    );
    return claimed.rowCount === 1;
  }

  override async keep({ night, checkedAt, position, broken }: BookCheck): Promise<void> {
    await this.database.pool.query(
      `update book_check set checked_at = $2, position = $3, broken = $4 where night = $1`,
      [night, checkedAt, position, JSON.stringify(broken)],
    );
  }

  override async release(night: string): Promise<void> {
    await this.database.pool.query(`delete from book_check where night = $1 and checked_at is null`, [night]);
  }

  override async list(limit: number): Promise<BookCheck[]> {
    const { rows } = await this.database.pool.query<
      Omit<BookCheck, 'holds' | 'checkedAt'> & { checkedAt: Date }
    >(
      `select night::text, checked_at as "checkedAt", position, broken from book_check
        where checked_at is not null order by night desc limit $1`,
      [limit],
    );
    return rows.map(({ checkedAt, ...row }) => ({
      ...row,
      checkedAt: checkedAt.toISOString(),
      holds: row.broken.length === 0,
    }));
  }
}
