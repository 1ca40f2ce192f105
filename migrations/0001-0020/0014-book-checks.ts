import { sql, type Kysely } from 'kysely';

/** What the check of the books found each night; a row without `checked_at` is a check under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table book_check (
      night      date primary key,
      started_at timestamptz not null,
      checked_at timestamptz,
      position   bigint,
      broken     jsonb
    )`.execute(db);
}
