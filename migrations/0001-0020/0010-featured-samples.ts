import { sql, type Kysely } from 'kysely';

/**
 * Samples that creators put first on their public page, in their order. Ids without foreign keys: a sample
 * that is removed later is passed over when the page is read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table creator_profile
      add column featured_samples text[] not null default '{}' check (cardinality(featured_samples) <= 10)`.execute(
    db,
  );
}
