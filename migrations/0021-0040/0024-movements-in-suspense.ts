import { sql, type Kysely } from 'kysely';

/**
 * What the books need to account for every movement at the payment provider: invoices that sold no plan, so that
 * nobody waits for their credits, and the provider's own balance as of a position of the log, to compare totals.
 * The index finds movements that no fact of ours can be about.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stripe_invoice add column sells_plan boolean not null default true`.execute(db);
  await sql`
    alter table balance_sweep
      add column provider_micro_usd bigint,
      add column compared_position bigint,
      add column compared_at timestamptz`.execute(db);
  await sql`
    create index balance_transaction_subjectless on balance_transaction (position)
     where fact is null or about is null`.execute(db);
}
