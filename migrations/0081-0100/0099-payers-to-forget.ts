import { sql, type Kysely } from 'kysely';

/** Erased people whom the payment provider still knows: a row goes once it has forgotten them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payer_to_forget (
      user_id text primary key,
      customer_id text,
      account_id text,
      erased_at timestamptz not null,
      -- When the provider was asked to take the name and the address away.
      blanked_at timestamptz,
      next_at timestamptz not null
    )`.execute(db);
}
