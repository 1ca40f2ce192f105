import { sql, type Kysely } from 'kysely';

/** The price of a whole pack. Null: the pack costs the sum of its samples. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pack add column price_credits int check (price_credits > 0)`.execute(db);
}
