import { sql, type Kysely } from 'kysely';

/**
 * Since when somebody has been removing an object from the storage. A transaction that stayed open meanwhile would wait
 * for the storage, and hold a connection and old rows until it answers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table unreferenced_object add column removing_since timestamptz`.execute(db);
}
