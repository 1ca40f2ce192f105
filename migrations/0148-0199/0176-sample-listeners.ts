import { sql, type Kysely } from 'kysely';

/** Indexes to count the listeners who heard or saved a sample, for its creator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index listening_entry_of_sample on listening_entry (entry_id)`.execute(db);
  await sql`create index saved_item_of_item on saved_item (item_id)`.execute(db);
}
