import { sql, type Kysely } from 'kysely';

/** Browsers that somebody signed in with, by what their cookie holds: strangers' guesses do not slow these down. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table remembered_browser (
      user_id text not null references user_account on delete cascade,
      cookie_hash text not null,
      signed_in_at timestamptz not null,
      primary key (user_id, cookie_hash)
    )`.execute(db);
}
