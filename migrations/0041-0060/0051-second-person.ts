import { sql, type Kysely } from 'kysely';

/**
 * What an adjustment makes good, so that all those of one lot or purchase can be added up. Inline projection of
 * approval-{id}: what waits for a second person, and what became of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table adjustment add column makes_good text`.execute(db);
  await sql`
    update adjustment a set makes_good = e.data->>'makesGood'
      from readable_event e
     where e.stream = 'adjustment-' || a.adjustment_id and e.type = 'AdjustmentRequested'`.execute(db);
  await sql`create index adjustment_of_user on adjustment (user_id)`.execute(db);
  await sql`
    create table approval (
      approval_id    text primary key,
      work           jsonb not null,
      reason         text not null,
      status         text not null,
      requested_by   text not null,
      requested_at   timestamptz not null,
      beneficiary_id text,
      lapses_at      timestamptz not null,
      decided_by     text,
      decided_at     timestamptz,
      note           text
    )`.execute(db);
  await sql`create index approval_newest on approval (requested_at desc, approval_id desc)`.execute(db);
  await sql`create index approval_waiting on approval (lapses_at) where status = 'waiting'`.execute(db);
}
