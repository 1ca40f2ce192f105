import { sql, type Kysely } from 'kysely';

/** What people complain of, written with its events; and who complained without a session, which no event holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table complaint (
      complaint_id        text primary key,
      kind                text not null,
      subject_kind        text not null,
      subject_id          text not null,
      creator_id          text not null,
      by_id               text,
      in_confidence       boolean not null,
      status              text not null,
      is_held             boolean not null default false,
      filed_at            timestamptz not null,
      opened_at           timestamptz,
      remark_id           text,
      -- The next thing that staff have to answer, the complaint or the counter-notice; null: nothing.
      due_at              timestamptz,
      decided_by          text,
      decided_at          timestamptz,
      measure             text not null default 'none',
      is_strike           boolean not null default false,
      reason_remark_id    text,
      counter_by          timestamptz,
      counter_status      text,
      counter_filed_at    timestamptz,
      counter_remark_id   text,
      counter_decided_at  timestamptz,
      counter_reason_remark_id text,
      version             int not null
    )`.execute(db);
  await sql`create index complaint_due on complaint (due_at, complaint_id) where due_at is not null`.execute(
    db,
  );
  await sql`create index complaint_subject on complaint (subject_id)`.execute(db);
  await sql`create index complaint_creator on complaint (creator_id)`.execute(db);
  await sql`create index complaint_by on complaint (by_id)`.execute(db);
  await sql`create index complaint_decided on complaint (decided_at)`.execute(db);
  await sql`
    create table complaint_contact (
      complaint_id    text primary key,
      name            text not null,
      email           text not null,
      -- Stands for the address where it must not be read.
      complainant_id  text not null,
      filed_at        timestamptz not null
    )`.execute(db);
  await sql`create index complaint_contact_email on complaint_contact (lower(email))`.execute(db);
  await sql`create index complaint_contact_complainant on complaint_contact (complainant_id)`.execute(db);
}
