import { sql, type Kysely } from 'kysely';

/** What was sold and given back where tax is found out, a line an event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tax_line (
      position          bigint primary key,
      at                timestamptz not null,
      -- Such as DE or US-NY; null: nobody knows.
      place             text,
      -- What goes back is below zero.
      net_micro_usd     bigint not null,
      taxable_micro_usd bigint not null,
      tax_micro_usd     bigint not null,
      -- Of a sale: how it was taxed, in the provider's words.
      reason            text,
      -- 1, or 0 of what goes back.
      sales             smallint not null
    )`.execute(db);
  await sql`create index tax_line_at on tax_line (at)`.execute(db);
}
