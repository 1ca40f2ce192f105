import { sql, type Kysely } from 'kysely';

/** Codes with which people get a pack free, and how often each was redeemed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table promotion_code (
    code          text primary key,
    creator_id    text not null,
    pack_id       text not null,
    sample_ids    text[],
    most_people   int not null check (most_people > 0),
    used          int not null check (used between 0 and most_people),
    samples_given int not null,
    valid_from    timestamptz,
    valid_until   timestamptz,
    created_at    timestamptz not null,
    last_used_at  timestamptz,
    ended_at      timestamptz,
    version       int not null
  );
  create index promotion_code_of_creator on promotion_code (creator_id, created_at, code)`.execute(db);
}
