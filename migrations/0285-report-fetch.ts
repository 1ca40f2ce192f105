import { sql, type Kysely } from 'kysely';

/** How far the nightly fetch of the provider's report is, and the result of its last attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table report_fetch (
    only_row    boolean primary key default true check (only_row),
    -- The provider's ids of the requested report.
    runs        text[] not null,
    covers_from timestamptz,
    covers_to   timestamptz,
    asked_at    timestamptz not null,
    next_at     timestamptz not null,
    compared_to timestamptz,
    compared_at timestamptz,
    problem     text
  )`.execute(db);
}
