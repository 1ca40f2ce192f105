import { sql, type Kysely } from 'kysely';

/** What sounds are recognised by, and which of them are alike. Computed from files, and computed anew where it is gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sound_fingerprint (
      sample_id     text primary key,
      -- Another one whenever the audio is: who knows all up to one of them asks for those after it.
      sound_id      bigserial unique,
      audio_version int not null,
      algorithm     int not null,
      -- Null: too plain to be told from others.
      signs         bytea,
      -- Compared with all others that there were then; null: not yet.
      compared_at   timestamptz
    )`.execute(db);
  await sql`
    create table alike_sounds (
      sample_id          text not null,
      audio_version      int not null,
      like_sample_id     text not null,
      like_audio_version int not null,
      likeness           jsonb not null,
      found_at           timestamptz not null,
      primary key (sample_id, audio_version, like_sample_id, like_audio_version)
    )`.execute(db);
  await sql`create index alike_sounds_of_like on alike_sounds (like_sample_id)`.execute(db);
}
