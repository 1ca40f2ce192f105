import { sql, type Kysely } from 'kysely';

/**
 * Our balance at the payment provider, from both sides: what the provider moved, by its own ids, and what our
 * facts moved. Both are derived from the log beside the journal, and rebuilt with it; `fact` and `about` tie one
 * to the other. How far the provider's side was read is remembered apart, since no event says so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table balance_transaction (
      transaction_id  text primary key,
      position        bigint not null,
      recorded_at     timestamptz not null,
      at              timestamptz not null,
      kind            text not null,
      fact            text,
      about           text,
      gross_micro_usd bigint not null,
      fee_micro_usd   bigint not null,
      moved_micro_usd bigint not null
    )`.execute(db);
  await sql`create index balance_transaction_about on balance_transaction (about, fact)`.execute(db);
  await sql`create index balance_transaction_at on balance_transaction (at)`.execute(db);
  await sql`
    create table cash_fact (
      position         bigint primary key,
      at               timestamptz not null,
      fact             text not null,
      about            text not null,
      amount_micro_usd bigint not null check (amount_micro_usd <> 0)
    )`.execute(db);
  await sql`create index cash_fact_about on cash_fact (about, fact)`.execute(db);
  await sql`create index cash_fact_at on cash_fact (at)`.execute(db);
  await sql`
    create table balance_sweep (
      only_row       boolean primary key default true check (only_row),
      complete_until timestamptz not null
    )`.execute(db);
}
