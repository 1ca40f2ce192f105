import { sql, type Kysely } from 'kysely';

/**
 * How far the parts of the books are proven: the log, the rules over its events, each read model, and what is new. A
 * round that is under way goes on at `position`; it began after the last one was finished.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table book_proof (
      part        text primary key,
      position    bigint not null,
      -- Of the event at that position, hex; empty before the first.
      hash        text not null,
      began_at    timestamptz not null,
      finished_at timestamptz,
      -- What was found wrong, and was not found right since.
      faults      jsonb not null
    )`.execute(db);
}
