import { sql, type Kysely } from 'kysely';

/** Downloads by the hour, for what is popular lately; collections that an administrator put forward. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table download_hour (
      sample_id text not null,
      hour      timestamptz not null,
      pack_id   text not null,
      downloads int not null,
      -- Of the last event counted: a page that is read again changes nothing.
      position  bigint not null,
      primary key (sample_id, hour)
    )`.execute(db);
  await sql`create index download_hour_by_hour on download_hour (hour)`.execute(db);
  await sql`
    create table featured_collection (
      place     int primary key,
      slug      text not null unique,
      chosen_by text not null,
      chosen_at timestamptz not null
    )`.execute(db);
}
