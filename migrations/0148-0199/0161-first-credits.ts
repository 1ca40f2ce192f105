import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table first_credits (
    -- A keyed hash of an address that was confirmed. It outlives the account, so that no person gets credits twice.
    address_digest text primary key,
    -- Null once the account is erased.
    user_id        text,
    confirmed_at   timestamptz not null
  )`.execute(db);
  await sql`create index first_credits_of_user on first_credits (user_id)`.execute(db);
}
