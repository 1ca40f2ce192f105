import { sql, type Kysely } from 'kysely';

/** Samples that are not on sale though their pack is, or whose file nobody gets; packs that have nothing else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sample
      -- By what it is about and the hash of the original: {"standing", "remarkId"}.
      add column claims   jsonb not null default '{}',
      add column standing text not null default 'free' check (standing in ('free', 'held', 'refused', 'taken_down'))`.execute(
    db,
  );
  await sql`create index sample_with_claims on sample (creator_id) where claims <> '{}'`.execute(db);
  // sample_count is of those that can be on sale.
  await sql`
    alter table pack add column listed boolean not null
      generated always as (status = 'published' and sample_count > 0) stored`.execute(db);
  await sql`drop index pack_by_size, pack_by_age`.execute(db);
  await sql`create index pack_by_size on pack (sample_count desc, pack_id) where listed`.execute(db);
  await sql`create index pack_by_age on pack (published_at desc, pack_id) where listed`.execute(db);
}
