import { Injectable } from '@nestjs/common';
import { ReceiptBook } from '../../application/mail/receipt-book.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresReceiptBook extends ReceiptBook {
  constructor(private readonly database: Database) {
    super();
  }

  override async claim(
    fact: string,
    now: Date,
    abandonedBefore: Date,
  ): Promise<'claimed' | 'under way' | 'sent'> {
    const { pool } = this.database;
    const claimed = await pool.query(
      `insert into receipt (fact, begun_at) values ($1, $2)
       on conflict (fact) do update set begun_at = excluded.begun_at
        where receipt.sent_at is null and receipt.begun_at < $3`,
      [fact, now, abandonedBefore],
    );
    if (claimed.rowCount === 1) return 'claimed';
    const sent = await pool.query(`select 1 from receipt where fact = $1 and sent_at is not null`, [fact]);
    return sent.rowCount === 1 ? 'sent' : 'under way';
  }

  override async markSent(fact: string, now: Date): Promise<void> {
    await this.database.pool.query(`update receipt set sent_at = $2 where fact = $1`, [fact, now]);
  }

  override async release(fact: string, claimedAt: Date): Promise<void> {
    await this.database.pool.query(
      `delete from receipt where fact = $1 and begun_at = $2 and sent_at is null`,
      [fact, claimedAt],
    );
  }
}
