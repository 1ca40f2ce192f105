import { sql, type Kysely } from 'kysely';

/** Creators who are paid monthly; without a row, on demand. `done_month`, such as `2026-11`, had its turn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_schedule (
      creator_id text primary key,
      schedule   text not null check (schedule in ('on_demand', 'monthly')),
      done_month text collate "C" not null check (done_month ~ '^\\d{4}-\\d{2}$')
    )`.execute(db);
}
