import { sql, type Kysely } from 'kysely';

/** Facts that came after their month was closed, with their own date. The journal is rebuilt and fills it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table late_fact (
      position         bigint primary key,
      at               timestamptz not null,
      fact             text not null,
      about            text not null,
      amount_micro_usd bigint not null
    )`.execute(db);
}
