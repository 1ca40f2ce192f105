import { Injectable } from '@nestjs/common';
import type { PaymentEvent } from '../../application/payments/payment-gateway.js';
import {
  BackfillCursors,
  PaymentRecords,
  type SubscriptionToCheck,
} from '../../application/payments/payment-records.js';
import { DatabaseAdapter, Database } from '../platform/database/database.js';

@Injectable()
export class PostgresPaymentRecords extends PaymentRecords {
  constructor(private readonly database: Database) {
    super();
  }

  async customerOf(userId: string): Promise<string | undefined> {
    return (await this.customers().where('user_id', '=', userId).executeTakeFirst())?.customer_id;
  }

  async userOf(customerId: string): Promise<string | undefined> {
    return (await this.customers().where('customer_id', '=', customerId).executeTakeFirst())?.user_id;
  }

  private customers() {
    return this.database.db.selectFrom('stripe_customer').select(['user_id', 'customer_id']);
  }

  async hasUser(userId: string): Promise<boolean> {
    const row = await this.database.db
      .selectFrom('user_account')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('erased_at', 'is', null)
      .executeTakeFirst();
    return row !== undefined;
  }

  async rememberCustomer(userId: string, customerId: string, now: Date): Promise<void> {
    await this.database.db
      .insertInto('stripe_customer')
      .values({ user_id: userId, customer_id: customerId, created_at: now })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ customer_id: customerId })
          .where('stripe_customer.customer_id', '<>', customerId),
      )
      .execute();
  }

  async receive(event: PaymentEvent, now: Date): Promise<boolean> {
    const { id, type, objectId, createdAt } = event;
    const row = await this.database.db
      .insertInto('stripe_webhook')
      .values({ event_id: id, type, object_id: objectId, created_at: createdAt, received_at: now })
      .onConflict((conflict) =>
        conflict.column('event_id').doUpdateSet(({ ref }) => ({ type: ref('stripe_webhook.type') })),
      )
      .returning('handled_at')
      .executeTakeFirstOrThrow();
    return row.handled_at !== null;
  }

  async markHandled(eventId: string, now: Date): Promise<void> {
    await this.database.db
      .updateTable('stripe_webhook')
      .set({ handled_at: now })
      .where('event_id', '=', eventId)
      .where('handled_at', 'is', null)
      .execute();
  }

  async forgetEvents(before: Date): Promise<void> {
    await this.database.db.deleteFrom('stripe_webhook').where('received_at', '<', before).execute();
  }

  async settledAmong(invoiceIds: string[]): Promise<Set<string>> {
    const rows = await this.database.db
      .selectFrom('stripe_invoice')
      .select('invoice_id')
      .where(({ eb, fn, val }) => eb('invoice_id', '=', fn.any(val(invoiceIds))))
      .execute();
    return new Set(rows.map((row) => row.invoice_id));
  }

  async giftOf(giftId: string): Promise<{ payerId: string; validDays: number } | undefined> {
    return this.database.db
      .selectFrom('gift')
      .select(['user_id as payerId', 'valid_days as validDays'])
      .where('gift_id', '=', giftId)
      .executeTakeFirst();
  }

  async markSettled(invoice: Parameters<PaymentRecords['markSettled']>[0], now: Date): Promise<void> {
    await this.database.db
      .insertInto('stripe_invoice')
      .values({
        invoice_id: invoice.invoiceId,
        user_id: invoice.userId,
        paid_at: invoice.paidAt,
        settled_at: now,
        sells_plan: invoice.sellsProduct,
        gift_id: invoice.giftId ?? null,
        vat_ids: invoice.firm?.taxIds ?? null,
      })
      .onConflict((conflict) => conflict.column('invoice_id').doNothing())
      .execute();
  }

  leastRecentlyChecked(limit: number, now: Date): Promise<SubscriptionToCheck[]> {
    return this.database.db
      .selectFrom('subscription as s')
      .leftJoin('stripe_customer as c', 'c.user_id', 's.user_id')
      .select(['s.user_id as userId', 's.subscription_id as subscriptionId'])
      .where('s.status', '<>', 'canceled')
      .orderBy((eb) => eb('s.current_period_end', '<', now), 'desc')
      .orderBy('c.checked_at', (order) => order.asc().nullsFirst())
      .orderBy('s.user_id')
      .limit(limit)
      .execute();
  }

  async markChecked(userId: string, now: Date): Promise<void> {
    await this.database.db
      .updateTable('stripe_customer')
      .set({ checked_at: now })
      .where('user_id', '=', userId)
      .execute();
  }

  async openChanges(before: Date, limit: number): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('subscription')
      .select('user_id')
      .where('change_requested_at', '<=', before)
      .where((eb) => eb.or([eb('change_expires_at', 'is', null), eb('change_expires_at', '<=', before)]))
      .orderBy('change_requested_at')
      .orderBy('user_id')
      .limit(limit)
      .execute();
    return rows.map((row) => row.user_id);
  }
}

export class PostgresBackfillCursors extends DatabaseAdapter implements BackfillCursors {
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
