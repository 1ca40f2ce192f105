import { Injectable } from '@nestjs/common';
import { BackfillCursors } from '../../application/payments/balance-cursors.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresBackfillCursors implements BackfillCursors {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<Date | undefined> {
    const row = await this.database.db
      .selectFrom('payment_backfill')
      .select('complete_until')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.complete_until;
  }

  async remember(name: string, until: Date): Promise<void> {
    await this.database.db
      .insertInto('payment_backfill')
      .values({ name, complete_until: until })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ complete_until: until }))
      .execute();
  }

  async forget(name: string): Promise<void> {
    await this.database.db.deleteFrom('payment_backfill').where('name', '=', name).execute();
  }
}
