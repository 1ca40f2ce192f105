import { sql, type Kysely } from 'kysely';

/** Up to which position of the log every movement of the provider has its fact or is held in suspense. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table balance_sweep add column settled_position bigint not null default 0`.execute(db);
}
