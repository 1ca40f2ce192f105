import { sql, type Kysely } from 'kysely';

/** The change of a plan that is under way: the screens say so, and a worker finishes what was left open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscription
      add column change_kind text,
      add column change_plan text,
      add column change_requested_at timestamptz,
      add check ((change_kind is null) = (change_requested_at is null))`.execute(db);
  await sql`
    create index subscription_changing on subscription (change_requested_at)
     where change_requested_at is not null`.execute(db);
}
