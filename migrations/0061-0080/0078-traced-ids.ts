import { sql, type Kysely } from 'kysely';

/** Async projection: which events name an id, and which move an amount of cash, so that any of them can be explained. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table traced_id (
      -- By bytes, so that the beginning of an id is a range of the key.
      id       text collate "C" not null,
      position bigint not null,
      kind     text not null,
      primary key (id, position)
    )`.execute(db);
  // In micro-dollars, without a sign.
  await sql`
    create table traced_amount (
      amount_micro_usd bigint not null,
      position         bigint not null,
      primary key (amount_micro_usd, position)
    )`.execute(db);
}
