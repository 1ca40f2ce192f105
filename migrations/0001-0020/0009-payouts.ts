import { sql, type Kysely } from 'kysely';

/** What creators earn, and how it reaches them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whom to pay, outside the log: the provider's word, refreshed whenever it is asked.
  await sql`
    create table connect_account (
      creator_id      text primary key,
      account_id      text not null unique,
      charges_enabled boolean not null,
      payouts_enabled boolean not null,
      requirements    text[] not null,
      created_at      timestamptz not null,
      checked_at      timestamptz not null
    )`.execute(db);

  // Async projection of sales, one row an event and never changed; what is taken back is a row below zero.
  // The log's position is the order in which earnings are laid end to end and paid.
  await sql`
    create table earning (
      position        bigint primary key,
      creator_id      text not null,
      purchase_id     text not null,
      sample_id       text not null,
      buyer_id        text not null,
      credits_used    int not null,
      share_micro_usd bigint not null,
      at              timestamptz not null
    )`.execute(db);
  await sql`create index earning_of_creator on earning (creator_id, position) include (share_micro_usd, at)`.execute(
    db,
  );
  await sql`create index earning_of_purchase on earning (purchase_id)`.execute(db);

  // Inline projection of payouts-{creatorId}: every withdrawal and what became of it. The spans are those of
  // its request, so that a statement reads the same for ever.
  await sql`
    create table payout (
      withdrawal_id      text primary key,
      creator_id         text not null,
      version            int not null,
      account_id         text not null,
      amount_usd_cents   bigint not null check (amount_usd_cents > 0),
      spans              jsonb not null,
      deducted_micro_usd bigint not null,
      status             text not null check (status in ('requested', 'unknown', 'paid', 'failed')),
      transfer_id        text unique,
      reversed_usd_cents bigint not null default 0 check (reversed_usd_cents between 0 and amount_usd_cents),
      failure            text,
      requested_at       timestamptz not null,
      settled_at         timestamptz
    )`.execute(db);
  // The rule of one at a time, once more, where no bug can pass it.
  await sql`create unique index payout_in_flight on payout (creator_id) where status in ('requested', 'unknown')`.execute(
    db,
  );
  await sql`create index payout_newest on payout (creator_id, requested_at desc, withdrawal_id)`.execute(db);
}
