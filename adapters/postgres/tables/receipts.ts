import { ReceiptBook } from '../../../application/subscriptions/receipts.js';
import type { Database } from '../database.js';

export class PostgresReceiptBook extends ReceiptBook {
  constructor(private readonly database: Database) {
    super();
  }

  override async claim(fact: string, now: Date, abandonedBefore: Date): Promise<boolean> {
    const claimed = await this.database.pool.query(
      `insert into receipt (fact, begun_at) values ($1, $2)
       on conflict (fact) do update set begun_at = excluded.begun_at
        where receipt.sent_at is null and receipt.begun_at < $3`,
      [fact, now, abandonedBefore],
    );
    return claimed.rowCount === 1;
  }

  override async markSent(fact: string, now: Date): Promise<void> {
    await this.database.pool.query(`update receipt set sent_at = $2 where fact = $1`, [fact, now]);
  }

  override async release(fact: string): Promise<void> {
    await this.database.pool.query(`delete from receipt where fact = $1 and sent_at is null`, [fact]);
  }
}
