import { sql, type Kysely } from 'kysely';

/** Null for previews from before creators chose the part: these begin at the start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sample add column preview_start_ms int`.execute(db);
}
