import { Injectable } from '@nestjs/common';
import type { NotNull } from 'kysely';
import type { BookCheck } from '../../../application/ledger/contract.js';
import { BookChecks } from '../../../application/ledger/nightly-check.js';
import { Database } from '../../platform/database/database.js';

@Injectable()
export class PostgresBookChecks implements BookChecks {
  constructor(private readonly database: Database) {}

  async claim(night: string, now: Date, abandonedBefore: Date): Promise<boolean> {
    const claimed = await this.database.db
      .insertInto('book_check')
      .values({ night, started_at: now })
      .onConflict((conflict) =>
        conflict
          .column('night')
          .doUpdateSet({ started_at: now })
          .where('book_check.checked_at', 'is', null)
          .where('book_check.started_at', '<', abandonedBefore),
      )
      .returning('night')
      .executeTakeFirst();
    return claimed !== undefined;
  }

  async keep({ night, checkedAt, position, broken }: BookCheck): Promise<void> {
    await this.database.db
      .updateTable('book_check')
      .set({ checked_at: checkedAt, position, broken: JSON.stringify(broken) })
      .where('night', '=', night)
      .execute();
  }

  async release(night: string): Promise<void> {
    await this.database.db
      .deleteFrom('book_check')
      .where('night', '=', night)
      .where('checked_at', 'is', null)
      .execute();
  }

  async list(limit: number): Promise<BookCheck[]> {
    const rows = await this.database.db
      .selectFrom('book_check')
      .select(['night', 'checked_at', 'position', 'broken'])
      .where('checked_at', 'is not', null)
      .$narrowType<{ checked_at: NotNull; position: NotNull; broken: NotNull }>()
      .orderBy('night', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ checked_at: checkedAt, ...row }) => ({
      ...row,
      checkedAt: checkedAt.toISOString(),
      holds: row.broken.length === 0,
    }));
  }
}
