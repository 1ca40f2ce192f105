import { sql, type Kysely } from 'kysely';

/**
 * The earnings of a sale wait for review if they exceed, per credit spent, 60 % of the highest price of a
 * credit. Top-ups raise that price, so
 * the index gets the new limit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  drop index earning_in_doubt;
  create index earning_in_doubt on earning (creator_id, at)
    where credits_used > 0 and coalesce(sale_share_micro_usd, share_micro_usd) > credits_used::bigint * 143760 + 1000`.execute(
    db,
  );
}
