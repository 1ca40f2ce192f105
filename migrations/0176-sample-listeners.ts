import { sql, type Kysely } from 'kysely';

/** For creators, who see how many listeners heard and saved each of their samples. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index listening_entry_of_sample on listening_entry (entry_id)`.execute(db);
  await sql`create index saved_item_of_item on saved_item (item_id)`.execute(db);
}
