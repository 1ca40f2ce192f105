import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table follow (
    user_id    text not null references user_account on delete cascade,
    kind       text not null check (kind in ('creator', 'tag')),
    -- The id of the creator, or the tag.
    subject    text not null,
    created_at timestamptz not null,
    primary key (user_id, kind, subject)
  )`.execute(db);
  await sql`create index follow_of_subject on follow (subject, kind)`.execute(db);
}
