import { sql, type Kysely } from 'kysely';

/**
 * The journal: the lines that events post, derived from the log and rebuilt from it at any time.
 *
 * A debit is above zero, a credit below. Balances are sums, never stored, so a trial balance can be asked for
 * any instant. A line is named by its event's position; the index by account carries what statements and sums
 * read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table journal_line (
      position  bigint not null,
      line      smallint not null,
      at        timestamptz not null,
      fact      text not null,
      account   text collate "C" not null,
      commodity text not null,
      delta     bigint not null check (delta <> 0),
      primary key (position, line)
    )`.execute(db);
  await sql`create index journal_line_of_account on journal_line (account, position) include (at, delta, commodity)`.execute(
    db,
  );
}
