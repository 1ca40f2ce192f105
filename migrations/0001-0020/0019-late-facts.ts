import { sql, type Kysely } from 'kysely';

/**
 * The own date of a cash fact that belongs to a month before the one it was posted in, and an index of those alone:
 * they are few, and the only ones that a closed month can have missed. The journal is rebuilt with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cash_fact add column earlier_month_at timestamptz`.execute(db);
  await sql`create index cash_fact_of_earlier_month on cash_fact (position) where earlier_month_at is not null`.execute(
    db,
  );
}
