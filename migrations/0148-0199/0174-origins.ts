import { sql, type Kysely } from 'kysely';

/** The search has a new version, so workers rebuild its table, with the origins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sample add column origin text`.execute(db);
  await sql`alter table catalogue_sample add column origin text`.execute(db);
}
