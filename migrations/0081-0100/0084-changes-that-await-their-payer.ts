import { sql, type Kysely } from 'kysely';

/** What a change of a plan needs of its payer, and until when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscription
      add column change_needs text,
      add column change_expires_at timestamptz,
      add check ((change_needs is null) = (change_expires_at is null))`.execute(db);
}
