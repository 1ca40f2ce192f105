import { sql, type Kysely } from 'kysely';

/** Uploads whose bytes a browser sends to the bucket itself: which node asks about them makes no difference. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table direct_upload (
      user_id      text not null,
      upload_id    text not null,
      pack_id      text not null,
      filename     text not null,
      size_bytes   bigint not null,
      object_key   text not null,
      multipart_id text not null,
      begun_at     timestamptz not null,
      primary key (user_id, upload_id)
    )`.execute(db);
  await sql`create index direct_upload_by_time on direct_upload (begun_at)`.execute(db);
}
