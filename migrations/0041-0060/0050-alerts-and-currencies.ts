import { sql, type Kysely } from 'kysely';

/** What a person has to see, until it is over; and the provider's balance in each other currency that it keeps for us. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert (
      key       text primary key,
      kind      text not null,
      text      text not null,
      item      text not null,
      position  bigint not null,
      raised_at timestamptz not null,
      seen_at   timestamptz
    )`.execute(db);
  await sql`
    create table foreign_balance (
      currency          text primary key,
      provider_micro    bigint not null,
      compared_position bigint not null,
      compared_at       timestamptz not null
    )`.execute(db);
}
