import { sql, type Kysely } from 'kysely';

/** Up to where a backfill of payments that was interrupted had come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_backfill (
      -- Its first day and its kinds of facts.
      name           text primary key,
      complete_until timestamptz not null
    )`.execute(db);
}
