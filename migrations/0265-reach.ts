import { sql, type Kysely } from 'kysely';

/** Counts only: no row names a listener. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table sample_reach (
    sample_id text not null,
    day       timestamptz not null,
    views     int not null default 0,
    plays     int not null default 0,
    saves     int not null default 0,
    primary key (sample_id, day)
  )`.execute(db);
  await sql`create index sample_reach_outlived on sample_reach (day)`.execute(db);
  await sql`
  create table creator_find (
    creator_id text not null,
    day        timestamptz not null,
    term       text not null,
    finds      int not null,
    primary key (creator_id, day, term)
  )`.execute(db);
  await sql`create index creator_find_outlived on creator_find (day)`.execute(db);
}
