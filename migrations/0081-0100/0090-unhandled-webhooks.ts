import { sql, type Kysely } from 'kysely';

/** Monitoring asks for the oldest report of the provider that was not handled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index stripe_webhook_unhandled on stripe_webhook (received_at) where handled_at is null`.execute(
    db,
  );
}
