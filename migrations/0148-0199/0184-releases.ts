import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pack add column release_at timestamptz`.execute(db);
  await sql`create index pack_release on pack (release_at) where release_at is not null`.execute(db);
  await sql`
  create table pack_preview (
    pack_id text primary key,
    token   text not null unique
  )`.execute(db);
}
