import { sql, type Kysely } from 'kysely';

/** What each plan gained by month and account, of all entries of the journal up to a position. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table margin_month (
      month   text not null,
      plan    text not null,
      account text not null,
      gain    bigint not null,
      primary key (month, plan, account)
    )`.execute(db);
  await sql`
    create table margin_progress (
      only_row boolean primary key default true check (only_row),
      upto     bigint not null
    )`.execute(db);
  await sql`insert into margin_progress (upto) values (0)`.execute(db);
}
