import { sql, type Kysely } from 'kysely';

/** Null if the creator has not stated the kind. The rules of `kindOf` then decide, as before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sample add column kind text`.execute(db);
}
