import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table hidden_buyer (user_id text primary key)`.execute(db);
}
