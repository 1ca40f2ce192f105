import { sql, type Kysely } from 'kysely';

/**
 * A sale has a row for each creator who shares it. `sale_share_micro_usd` is the sum of their shares; null if the sale
 * has one share.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  alter table earning add column sale_share_micro_usd bigint,
    drop constraint earning_pkey, add primary key (position, creator_id);
  drop index earning_in_doubt;
  create index earning_in_doubt on earning (creator_id, at)
    where credits_used > 0 and coalesce(sale_share_micro_usd, share_micro_usd) > credits_used::bigint * 119880 + 1000`.execute(
    db,
  );
}
