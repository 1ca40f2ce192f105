import { sql, type Kysely } from 'kysely';

/** What creators state for tax reports. The numbers are encrypted; `stated` has only their last characters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table tax_detail (
    creator_id    text primary key,
    stated        jsonb,
    numbers       bytea,
    from_provider jsonb,
    changed_at    timestamptz not null,
    -- When the account was deleted.
    closed_at     timestamptz,
    check ((stated is null) = (numbers is null))
  );
  create index tax_detail_closed on tax_detail (closed_at)`.execute(db);
}
