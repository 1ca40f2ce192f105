import { sql, type Kysely } from 'kysely';

/** The new version of the search copies the origins into its own table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sample add column origin text`.execute(db);
  await sql`alter table catalogue_sample add column origin text`.execute(db);
}
