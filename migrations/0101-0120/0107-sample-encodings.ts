import { sql, type Kysely } from 'kysely';

/** Files of samples that jobs analyse and encode, and what became of them: whoever sent one may ask again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sample_encoding (
      user_id    text not null,
      pack_id    text not null,
      upload_id  text not null,
      object_key text not null,
      filename   text not null,
      becomes    jsonb not null,
      outcome    jsonb,
      ordered_at timestamptz not null,
      primary key (user_id, pack_id, upload_id)
    )`.execute(db);
  await sql`create index sample_encoding_by_time on sample_encoding (ordered_at)`.execute(db);
}
