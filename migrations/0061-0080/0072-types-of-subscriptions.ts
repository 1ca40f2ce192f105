import { sql, type Kysely } from 'kysely';

/**
 * The event types that each subscription of the log follows: whether it is behind depends on events of these alone.
 * Null where a version before wrote the checkpoint: then on all events.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table checkpoint add column types text[]`.execute(db);
}
