import { sql, type Kysely } from 'kysely';

/** Any number that nobody else locks. */
const APPENDING = '7218043621';

/**
 * The end of the log is a row for each append instead of one row that every append rewrites: as long as any other
 * transaction is open, versions of a rewritten row cannot be cleared away, and each append has to pass them all.
 * Whoever appends holds a lock of the transaction, then reads the newest row. Positions stay gap-free in commit order.
 *
 * Processes of the version before keep working beside new ones: under the name they know, the newest row is read with
 * the same lock held, and what they write to it becomes a row. Their mere reading waits for appends, too; it ends
 * with the last of these processes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table log_end (
      position bigint primary key,
      hash     bytea not null check (length(hash) = 32)
    )`.execute(db);
  // Waits for appends under way and lets none in until this migration is committed.
  await sql`lock table log_head in access exclusive mode`.execute(db);
  await sql`insert into log_end (position, hash) select position, hash from log_head`.execute(db);
  await sql`drop table log_head`.execute(db);
  // A statement within a function sees what was committed while the one before waited. It is planned anew each time:
  // a plan from when the table was small would read all of it.
  await sql
    .raw(
      `create function hold_log_end() returns table ("position" bigint, hash bytea) language plpgsql as $$
       begin
         perform pg_advisory_xact_lock(${APPENDING});
         return query execute 'select position, hash from log_end order by position desc limit 1';
       end $$`,
    )
    .execute(db);
  await forTheVersionBefore(db);
  await parkedEvents(db);
}

async function forTheVersionBefore(db: Kysely<unknown>): Promise<void> {
  await sql`create view log_head as select true as only_row, held.position, held.hash from hold_log_end() as held`.execute(
    db,
  );
  await sql`
    create function move_log_head() returns trigger language plpgsql as $$
    begin
      insert into log_end (position, hash) values (new.position, new.hash);
      return new;
    end $$`.execute(db);
  await sql`
    create trigger log_head_moves instead of update on log_head
      for each row execute function move_log_head()`.execute(db);
}

/** What a follower of the log could not handle, and what came behind it in the same stream: the others went on. */
async function parkedEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table parked_event (
      follower  text not null,
      position  bigint not null,
      stream    text not null,
      version   int not null,
      type      text not null,
      -- Empty for one that only waits behind another.
      error     text not null,
      attempts  int not null,
      parked_at timestamptz not null,
      retry_at  timestamptz not null,
      primary key (follower, position)
    )`.execute(db);
}
