import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table sound_descriptor (
    sample_id     text primary key,
    -- New whenever the descriptors change, so that readers can ask for those after the last one that they know.
    described_id  bigserial unique,
    audio_version int not null,
    version       int not null,
    -- One signed byte each. Null: the sound is silent.
    descriptors   bytea
  )`.execute(db);
}
