import { sql, type Kysely } from 'kysely';

/** What people said about decisions. Events name a remark and prove it by its hash; its text can be forgotten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table remark (
      remark_id text primary key,
      salt      bytea not null,
      -- Null: forgotten.
      text      text,
      -- The people whom the text may tell of.
      about     text[] not null,
      -- Where the event is that names it.
      stream    text not null,
      said_at   timestamptz not null
    )`.execute(db);
  await sql`create index remark_about on remark using gin (about) where text is not null`.execute(db);
  await sql`create index remark_by_age on remark (said_at)`.execute(db);
}
