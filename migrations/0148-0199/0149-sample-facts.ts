import { sql, type Kysely } from 'kysely';

/** The search has a new version, so workers rebuild its table. The rebuild replaces these defaults. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  alter table catalogue_sample
    add column duration_ms   int not null default 0,
    add column kind          text not null default 'take' check (kind in ('loop', 'one-shot', 'take')),
    add column has_midi      boolean not null default false,
    add column has_stems     boolean not null default false,
    add column price_credits int not null default 1`.execute(db);
  await sql`create index catalogue_sample_tempo on catalogue_sample ((bpm = 0), bpm, sample_id)`.execute(db);
  await sql`create index catalogue_sample_length on catalogue_sample (duration_ms, sample_id)`.execute(db);
}
