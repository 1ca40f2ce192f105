import { sql, type Kysely } from 'kysely';

/** Archives that were asked for and how far each came; an address has no room for a thousand ids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table archive_ticket (
      ticket_id  text primary key,
      user_id    text not null references user_account on delete cascade,
      sample_ids text[] not null,
      name       text,
      expires_at timestamptz not null,
      begun_at   timestamptz,
      sent_at    timestamptz,
      broken_at  timestamptz
    )`.execute(db);
  await sql`create index archive_ticket_by_expiry on archive_ticket (expires_at)`.execute(db);
}
