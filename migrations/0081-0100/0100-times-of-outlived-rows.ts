import { sql, type Kysely } from 'kysely';

/** Rows that are only kept for a while are found by their time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index mailbox_by_time on mailbox (sent_at)`.execute(db);
}
