import { Injectable } from '@nestjs/common';
import { ReceiptBook } from '../../application/mail/receipt-book.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresReceiptBook implements ReceiptBook {
  constructor(private readonly database: Database) {}

  async claim(fact: string, now: Date, abandonedBefore: Date): Promise<'claimed' | 'under way' | 'sent'> {
    const { db } = this.database;
    const claimed = await db
      .insertInto('receipt')
      .values({ fact, begun_at: now })
      .onConflict((conflict) =>
        conflict
          .column('fact')
          .doUpdateSet({ begun_at: now })
          .where('receipt.sent_at', 'is', null)
          .where('receipt.begun_at', '<', abandonedBefore),
      )
      .returning('fact')
      .executeTakeFirst();
    if (claimed) return 'claimed';
    const sent = await db
      .selectFrom('receipt')
      .select('fact')
      .where('fact', '=', fact)
      .where('sent_at', 'is not', null)
      .executeTakeFirst();
    return sent ? 'sent' : 'under way';
  }

  async markSent(fact: string, now: Date): Promise<void> {
    await this.database.db.updateTable('receipt').set({ sent_at: now }).where('fact', '=', fact).execute();
  }

  async release(fact: string, claimedAt: Date): Promise<void> {
    await this.database.db
      .deleteFrom('receipt')
      .where('fact', '=', fact)
      .where('begun_at', '=', claimedAt)
      .where('sent_at', 'is', null)
      .execute();
  }
}
