import { sql, type Kysely } from 'kysely';

/**
 * The log: one append-only table, and one row that knows its head.
 *
 * `data` and `metadata` are `json`, not `jsonb`: json keeps the bytes as written, and the hash chain is over
 * those bytes. `credit_delta` repeats the credits an event moves, so that SQL can fold balances without
 * parsing JSON. The head row gives positions without gaps in commit order: whoever holds it commits next.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event (
      position     bigint primary key,
      stream       text collate "C" not null,
      version      int not null check (version > 0),
      type         text not null,
      data         json not null,
      metadata     json not null,
      credit_delta int,
      recorded_at  timestamptz not null,
      hash         bytea not null check (length(hash) = 32),
      unique (stream, version)
    )`.execute(db);
  await sql`create index event_by_type on event (type, position)`.execute(db);

  await sql`
    create table log_head (
      only_row boolean primary key default true check (only_row),
      position bigint not null,
      hash     bytea not null
    )`.execute(db);
  await sql`insert into log_head (position, hash) values (0, decode(repeat('00', 32), 'hex'))`.execute(db);

  // Not even the owner edits history by mistake; whoever drops the triggers still breaks the chain.
  await sql`
    create function refuse_rewriting_history() returns trigger language plpgsql as $$
    begin
      raise exception 'the event log is append-only: % refused', tg_op using errcode = 'insufficient_privilege';
    end $$`.execute(db);
  await sql`
    create trigger event_is_append_only before update or delete on event
      for each row execute function refuse_rewriting_history()`.execute(db);
  await sql`
    create trigger event_is_never_emptied before truncate on event
      for each statement execute function refuse_rewriting_history()`.execute(db);
  await sql`revoke update, delete, truncate on event from public`.execute(db);

  await sql`
    create table checkpoint (
      name     text primary key,
      version  int not null,
      position bigint not null
    )`.execute(db);

  // Keys that all nodes share: they sign certificates and local download links.
  await sql`create table secret (name text primary key, value bytea not null)`.execute(db);
}
