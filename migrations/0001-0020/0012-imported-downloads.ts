import { sql, type Kysely } from 'kysely';

/**
 * What an older client remembered of downloads in the browser. History only: nobody can check it, so it entitles
 * to nothing, and it stays apart from what was bought.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imported_download (
      user_id       text not null references user_account on delete cascade,
      url           text not null,
      item          jsonb not null,
      downloaded_at timestamptz not null,
      primary key (user_id, url)
    )`.execute(db);
}
