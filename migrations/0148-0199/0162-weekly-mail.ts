import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table weekly_mail (
    user_id       text primary key references user_account on delete cascade,
    is_wanted     boolean not null,
    -- The last mail told of everything up to this time. Kept when the mail is turned off, so that turning it on again
    -- brings no second mail within a week.
    covered_until timestamptz not null
  )`.execute(db);
  await sql`create index weekly_mail_due on weekly_mail (covered_until) where is_wanted`.execute(db);
  await sql`alter table mailbox add column headers jsonb`.execute(db);
}
