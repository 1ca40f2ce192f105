import { sql, type Kysely } from 'kysely';

/** Where a session was begun and when it was last used, and the browsers from which somebody signed in before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table session
      add column user_agent text,
      -- A /24 or /48, never the whole address.
      add column network text,
      add column country text,
      add column last_used_at timestamptz`.execute(db);
  await sql`
    create table known_browser (
      user_id text not null references user_account on delete cascade,
      -- As people name it, so that a new version is no other browser.
      browser text not null,
      seen_at timestamptz not null,
      primary key (user_id, browser)
    )`.execute(db);
}
