import { sql, type Kysely } from 'kysely';

/**
 * Whose recordings are on sale: looked up by their hash, and taken while the fact that publishes them is recorded, so
 * that of two who publish one recording at once only one does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index sample_by_recording on sample (original_sha256)`.execute(db);
  await sql`
    create table recording_claim (
      sha256     text primary key,
      creator_id text not null,
      taken_at   timestamptz not null
    )`.execute(db);
}
