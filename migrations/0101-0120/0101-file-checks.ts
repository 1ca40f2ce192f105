import { sql, type Kysely } from 'kysely';

/** When the original of a sample was last read whole, and what was wrong with it then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_check (
      sample_id  text primary key,
      object_key text not null,
      sha256     text not null,
      checked_at timestamptz not null,
      fault      text
    )`.execute(db);
  await sql`create index file_check_by_time on file_check (checked_at)`.execute(db);
}
