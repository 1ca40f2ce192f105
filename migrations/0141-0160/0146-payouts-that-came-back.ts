import { sql, type Kysely } from 'kysely';

/** Finds a payout by what stayed paid, which its explanation shows as its amount. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index payout_left on payout (((amount_usd_cents - reversed_usd_cents) * 10000))
      where reversed_usd_cents > 0`.execute(db);
}
