import { sql, type Kysely } from 'kysely';

/**
 * Hearts, the last ten things played, and reports. Plain tables: they change often, matter to one person
 * and must be erasable. An item is kept as the browser describes it, so that hearts on things that left the
 * catalogue still show what they were.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_item (
      user_id text not null references user_account on delete cascade,
      item_id text not null,
      item jsonb not null,
      created_at timestamptz not null,
      primary key (user_id, item_id)
    )`.execute(db);
  await sql`create index saved_item_newest on saved_item (user_id, created_at desc, item_id desc)`.execute(
    db,
  );

  await sql`
    create table listening_entry (
      user_id text not null references user_account on delete cascade,
      entry_id text not null,
      entry jsonb not null,
      played_at timestamptz not null,
      primary key (user_id, entry_id)
    )`.execute(db);

  await sql`
    create table report (
      report_id text primary key,
      -- Null once the reporter was erased: what was reported stays.
      reporter_id text references user_account on delete set null,
      subject_kind text not null check (subject_kind in ('sample', 'pack', 'creator')),
      subject_id text not null,
      reason text not null,
      detail text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index report_newest on report (created_at desc, report_id desc)`.execute(db);
}
