import { sql, type Kysely } from 'kysely';

/** Recordings that may be copies of another creator's, and the strikes of creators; both written with their events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table suspected_copy (
      copy_id             text primary key,
      sample_id           text not null,
      audio_version       int not null,
      pack_id             text not null,
      creator_id          text not null,
      like_sample_id      text not null,
      like_audio_version  int not null,
      like_creator_id     text not null,
      -- Recordings that it is less like, or was like before: [{sampleId, audioVersion, creatorId}].
      also_like           jsonb not null default '[]',
      found_by            text not null,
      tier                text not null,
      score               int not null,
      match               jsonb not null,
      is_held             boolean not null,
      status              text not null,
      suspected_at        timestamptz not null,
      statement_kind      text,
      statement_remark_id text,
      answer_remark_id    text,
      decided_by          text,
      decided_at          timestamptz,
      reason_remark_id    text,
      and_others          boolean not null default false,
      version             int not null
    )`.execute(db);
  await sql`create index suspected_copy_open on suspected_copy (score desc, copy_id) where status = 'open'`.execute(
    db,
  );
  await sql`create index suspected_copy_sample on suspected_copy (sample_id)`.execute(db);
  await sql`create index suspected_copy_like on suspected_copy (like_sample_id)`.execute(db);
  await sql`create index suspected_copy_pack on suspected_copy (pack_id)`.execute(db);
  await sql`create index suspected_copy_creator on suspected_copy (creator_id)`.execute(db);
  await sql`create index suspected_copy_like_creator on suspected_copy (like_creator_id)`.execute(db);
  await sql`
    create table strike (
      user_id text not null,
      kind    text not null,
      id      text not null,
      at      timestamptz not null,
      primary key (user_id, kind, id)
    )`.execute(db);
}
