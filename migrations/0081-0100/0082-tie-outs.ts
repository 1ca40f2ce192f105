import { sql, type Kysely } from 'kysely';

/** Comparisons of the books with reports of the provider's balance: the newest of each report. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tie_out (
      -- Of the report, hex.
      sha256                text primary key,
      covers_from           timestamptz not null,
      covers_to             timestamptz not null,
      matched               integer not null,
      stripe_micro_usd      bigint not null,
      books_micro_usd       bigint not null,
      only_at_stripe        integer not null,
      only_in_books         integer not null,
      unexplained_micro_usd bigint not null,
      done_by               text not null,
      done_at               timestamptz not null,
      position              bigint not null
    )`.execute(db);
}
