import { sql, type Kysely } from 'kysely';

/** Indexes for look-ups that read whole tables: people by a part of their name, and whoever refers to a stored object. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const indexes = [
    `user_account_named on user_account using gin (lower(display_name) gin_trgm_ops)`,
    `creator_profile_named on creator_profile using gin (lower(handle) gin_trgm_ops)`,
    `sample_by_preview on sample (preview_key)`,
    `sample_by_stems on sample ((stems->>'path')) where stems is not null`,
    `sample_by_midi on sample ((midi->>'path')) where midi is not null`,
    `pack_by_cover on pack (cover_key) where cover_key is not null`,
    `owned_sample_of_sample on owned_sample (sample_id)`,
  ];
  for (const index of indexes) await sql.raw(`create index ${index}`).execute(db);
}
