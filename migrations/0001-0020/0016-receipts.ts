import { sql, type Kysely } from 'kysely';

/** Receipts by e-mail, one a paid invoice and one a refund; without `sent_at` it is under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table receipt (
      fact     text primary key,
      begun_at timestamptz not null,
      sent_at  timestamptz
    )`.execute(db);
}
