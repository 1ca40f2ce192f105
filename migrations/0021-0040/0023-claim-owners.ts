import { sql, type Kysely } from 'kysely';

/**
 * Who claimed an idempotency key. A request that ran for more than a minute is taken over; without an owner, the
 * slow one then deleted or overwrote the claim of the one that took over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotent_request add column owner text`.execute(db);
}
