import { sql, type Kysely } from 'kysely';

/** What became of every mail. Not what it said: its links sign people in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_log (
      mail_id    text primary key,
      recipient  text not null,
      subject    text not null,
      status     text not null check (status in ('sending', 'sent', 'failed')),
      attempts   int not null,
      last_error text,
      asked_at   timestamptz not null,
      settled_at timestamptz
    )`.execute(db);
  await sql`create index mail_log_asked on mail_log (asked_at, mail_id)`.execute(db);
}
