import { sql, type Kysely } from 'kysely';

/** Files that somebody ordered and a worker makes; the files themselves are in the object storage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table prepared_export (
      export_id    text primary key,
      user_id      text not null,
      kind         text not null,
      parameters   jsonb not null,
      filename     text not null,
      content_type text not null,
      state        text not null,
      size_bytes   bigint,
      ordered_at   timestamptz not null,
      expires_at   timestamptz
    )`.execute(db);
  // The same is made once at a time for one person.
  await sql`
    create unique index prepared_export_in_work on prepared_export (user_id, kind, parameters)
     where state = 'preparing'`.execute(db);
  await sql`create index prepared_export_by_user on prepared_export (user_id, kind, ordered_at)`.execute(db);
  await sql`create index prepared_export_by_expiry on prepared_export (expires_at)`.execute(db);
}
