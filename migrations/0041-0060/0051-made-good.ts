import { sql, type Kysely } from 'kysely';

/** What an adjustment makes good, so that all those of one lot or purchase can be added up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table adjustment add column makes_good text`.execute(db);
  await sql`
    update adjustment a set makes_good = e.data->>'makesGood'
      from readable_event e
     where e.stream = 'adjustment-' || a.adjustment_id and e.type = 'AdjustmentRequested'`.execute(db);
  await sql`create index adjustment_of_user on adjustment (user_id)`.execute(db);
}
