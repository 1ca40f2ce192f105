import { Injectable } from '@nestjs/common';
import type { PaymentEvent } from '../../application/payments/payment-gateway.js';
import { PaymentRecords, type SubscriptionToCheck } from '../../application/payments/payment-records.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresPaymentRecords extends PaymentRecords {
  constructor(private readonly database: Database) {
    super();
  }

  async #one<Row>(text: string, values: unknown[]): Promise<Row | undefined> {
    const { rows } = await this.database.pool.query(text, values);
    return rows[0] as Row | undefined;
  }

  async customerOf(userId: string): Promise<string | undefined> {
    const row = await this.#one<{ customer_id: string }>(
      'select customer_id from stripe_customer where user_id = $1',
      [userId],
    );
    return row?.customer_id;
  }

  async userOf(customerId: string): Promise<string | undefined> {
    const row = await this.#one<{ user_id: string }>(
      'select user_id from stripe_customer where customer_id = $1',
      [customerId],
    );
    return row?.user_id;
  }

  async rememberCustomer(userId: string, customerId: string, now: Date): Promise<void> {
    await this.database.pool.query(
      `insert into stripe_customer (user_id, customer_id, created_at) values ($1, $2, $3)
       on conflict (user_id) do update set customer_id = excluded.customer_id
        where stripe_customer.customer_id <> excluded.customer_id`,
      [userId, customerId, now],
    );
  }

  async receive(event: PaymentEvent, now: Date): Promise<boolean> {
    const row = await this.#one<{ handled: boolean }>(
      `insert into stripe_webhook (event_id, type, object_id, created_at, received_at)
       values ($1, $2, $3, $4, $5)
       on conflict (event_id) do update set type = stripe_webhook.type
       returning handled_at is not null as handled`,
      [event.id, event.type, event.objectId, event.createdAt, now],
    );
    return row?.handled ?? false;
  }

  async markHandled(eventId: string, now: Date): Promise<void> {
    await this.database.pool.query(
      'update stripe_webhook set handled_at = $2 where event_id = $1 and handled_at is null',
      [eventId, now],
    );
  }

  async forgetEvents(before: Date): Promise<void> {
    await this.database.pool.query('delete from stripe_webhook where received_at < $1', [before]);
  }

  async settledAmong(invoiceIds: string[]): Promise<Set<string>> {
    const { rows } = await this.database.pool.query(
      'select invoice_id from stripe_invoice where invoice_id = any($1)',
      [invoiceIds],
    );
    return new Set((rows as Array<{ invoice_id: string }>).map((row) => row.invoice_id));
  }

  async markSettled(
    invoice: { invoiceId: string; userId: string; paidAt: Date; sellsPlan: boolean },
    now: Date,
  ): Promise<void> {
    await this.database.pool.query(
      `insert into stripe_invoice (invoice_id, user_id, paid_at, settled_at, sells_plan) values ($1, $2, $3, $4, $5)
       on conflict (invoice_id) do nothing`,
      [invoice.invoiceId, invoice.userId, invoice.paidAt, now, invoice.sellsPlan],
    );
  }

  async leastRecentlyChecked(limit: number, now: Date): Promise<SubscriptionToCheck[]> {
    const { rows } = await this.database.pool.query(
      `select s.user_id as "userId", s.subscription_id as "subscriptionId"
         from subscription s left join stripe_customer c using (user_id)
        where s.status <> 'canceled'
        order by (s.current_period_end < $2) desc, c.checked_at nulls first, s.user_id
        limit $1`,
      [limit, now],
    );
    return rows as SubscriptionToCheck[];
  }

  async markChecked(userId: string, now: Date): Promise<void> {
    await this.database.pool.query('update stripe_customer set checked_at = $2 where user_id = $1', [
      userId,
      now,
    ]);
  }

  async openChanges(requestedBefore: Date, limit: number): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ user_id: string }>(
      `select user_id from subscription where change_requested_at <= $1
        order by change_requested_at, user_id limit $2`,
      [requestedBefore, limit],
    );
    return rows.map((row) => row.user_id);
  }
}
