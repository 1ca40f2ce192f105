import { sql, type Kysely } from 'kysely';

/** Plans paid for by the month, and what is remembered so that no payment counts twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Who pays: known before the first payment, so that an invoice finds its listener without trusting it to
  // say who that is. `checked_at` is when the subscription was last compared with the provider's.
  await sql`
    create table stripe_customer (
      user_id text primary key,
      customer_id text not null unique,
      created_at timestamptz not null,
      checked_at timestamptz
    )`.execute(db);

  // Every webhook by its event id. One without handled_at was received and not finished: it will come again.
  await sql`
    create table stripe_webhook (
      event_id text primary key,
      type text not null,
      object_id text not null,
      created_at timestamptz not null,
      received_at timestamptz not null,
      handled_at timestamptz
    )`.execute(db);
  await sql`create index stripe_webhook_received on stripe_webhook (received_at)`.execute(db);

  // Paid invoices whose credits are granted, by the invoice's own id: two events may tell of one invoice, and
  // the sweep skips those that are here.
  await sql`
    create table stripe_invoice (
      invoice_id text primary key,
      user_id text not null,
      paid_at timestamptz not null,
      settled_at timestamptz not null
    )`.execute(db);

  // Inline projection of subscription-{userId}: what a listener has now.
  await sql`
    create table subscription (
      user_id text primary key,
      subscription_id text not null,
      plan text not null,
      status text not null,
      current_period_end timestamptz,
      scheduled_kind text,
      scheduled_plan text,
      scheduled_at timestamptz,
      version int not null,
      check ((scheduled_kind is null) = (scheduled_at is null))
    )`.execute(db);
  await sql`create index subscription_overdue on subscription (current_period_end) where status <> 'canceled'`.execute(
    db,
  );
}
