import { sql, type Kysely } from 'kysely';

/** Async projection: who of the staff asked, decided, or did alone. Names are found by their ids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff_act (
      position       bigint primary key,
      at             timestamptz not null,
      by_id          text,
      did            text not null,
      kind           text,
      request_id     text,
      subject        text,
      beneficiary_id text,
      credits        int,
      micro_usd      bigint,
      note           text
    )`.execute(db);
  await sql`create index staff_act_request on staff_act (request_id)`.execute(db);
  // Sales that gave more for a credit than 60 % of its price in the dearest plan: nobody withdraws their shares.
  await sql`
    create index earning_in_doubt on earning (creator_id, at)
     where credits_used > 0 and share_micro_usd > credits_used::bigint * 119880 + 1000`.execute(db);
}
