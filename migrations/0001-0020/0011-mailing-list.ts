import { sql, type Kysely } from 'kysely';

/**
 * Addresses whose owners followed the mailed link. Those that were only typed in are never stored, so the table
 * needs no state. Not tied to accounts: most subscribers have none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mailing_list (
      email_lower  text primary key,
      email        text not null,
      confirmed_at timestamptz not null
    )`.execute(db);
}
