import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence notice_position`.execute(db);
  await sql`
  create table notice (
    user_id      text not null,
    -- Names what the notice is about. A later notice about the same replaces it.
    fact         text not null,
    -- Grows with every change, so that readers see what is new.
    position     bigint not null default nextval('notice_position'),
    kind         text not null,
    subject      text not null,
    path         text,
    sales        int not null default 0,
    micro_usd    bigint not null default 0,
    -- The log position of the newest counted sale.
    counted      bigint not null default 0,
    at           timestamptz not null,
    read_at      timestamptz,
    -- When a mail is to be sent; null if none is.
    mail_due     timestamptz,
    primary key (user_id, fact)
  )`.execute(db);
  await sql`create unique index notice_position_of_user on notice (user_id, position desc)`.execute(db);
  await sql`create index notice_unread on notice (user_id) where read_at is null`.execute(db);
  await sql`create index notice_due on notice (mail_due) where mail_due is not null`.execute(db);
  await sql`create index notice_outlived on notice (at)`.execute(db);
  await sql`create index follow_begun on follow (created_at)`.execute(db);
  await sql`
  create table notice_choice (
    user_id text not null,
    kind    text not null,
    choice  text not null check (choice in ('mail', 'digest', 'off')),
    primary key (user_id, kind)
  )`.execute(db);
}
