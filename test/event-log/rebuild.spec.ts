import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { escapeLiteral } from 'pg';
import { adding } from '../../adapters/platform/projections/added-rows.js';
import { copyOut } from '../../adapters/platform/database/copy.js';
import { Database } from '../../adapters/platform/database/database.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import type { AnyEvent } from '../../application/shared/event-store.js';
import type { AsyncProjection } from '../../adapters/platform/projections/projection.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { SystemClock } from '../../application/shared/clock.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Adds two notes per event, with texts that a bulk load could corrupt. */
const notes: AsyncProjection = {
  name: 'notes',
  version: 1,
  lifecycle: 'async',
  types: ['Noted'],
  ...adding<AnyEvent>({
    table: 'note',
    columns: [
      ['position', 'bigint'],
      ['line', 'smallint'],
      ['at', 'timestamptz'],
      ['text', 'text'],
    ],
    rowsOf: ({ position, recordedAt, data }) =>
      (data.texts as (string | null)[]).map((text, line) => [position, line, recordedAt, text]),
  }),
};
const TEXTS = ['plain', 'a\ttab', 'a\nline', '\\N', '\\', '\r\n', '', 'NULL', null, '{"a":"b"}', 'Grüße 🎛'];

describe('rebuilding rows that are only ever added', () => {
  let test: TestDatabase;
  let store: PostgresEventStore;
  let projector: Projector;
  const sql = async (text: string) => (await test.database.pool.query(text)).rows;
  const rows = () => sql('select * from note order by position, line');
  const indexes = () =>
    sql(
      `select indexname, indexdef from pg_indexes where tablename = 'note' and schemaname = 'public' order by 1`,
    );
  let version = 0;
  const append = async (events: number) => {
    const drafts = Array.from({ length: events }, (_, n) => ({
      type: 'Noted',
      data: { texts: [TEXTS[n % TEXTS.length], `${n}`] },
    }));
    await store.append([{ stream: 's-1', expectedVersion: version, events: drafts }], {
      actor: 'ada',
      correlationId: 'c',
    });
    version += events;
  };
  const follow = async () => {
    while ((await projector.advance(notes)) === 'behind');
  };

  beforeAll(async () => {
    test = await startTestDatabase();
    store = new PostgresEventStore(test.database, new SystemClock());
    projector = new Projector(test.database, store);
    await sql(`create table note (position bigint not null, line smallint not null, at timestamptz not null, text text,
                                  primary key (position, line))`);
    await sql('create index note_by_text on note (text) where line = 0');
    await append(6_000);
    await follow();
  });
  afterAll(() => test.close());
  beforeEach(follow);

  it('[FIN-18] gives the same rows, under the same keys and indexes', async () => {
    const [before, named] = [await rows(), await indexes()];
    expect(before).toHaveLength(12_000);
    expect(await projector.rebuild(notes)).toBe(6_000);
    expect(await rows()).toEqual(before);
    expect(await indexes()).toEqual(named);
    // The keys prevent duplicates: applying the events again changes nothing.
    await sql(`update checkpoint set position = 0 where name = 'notes'`);
    await follow();
    expect(await rows()).toEqual(before);
    await append(3);
    await follow();
    expect(await rows()).toHaveLength(12_006);
  });

  it('[FIN-18] has what was appended meanwhile', async () => {
    const appended = Promise.all([
      projector.rebuild(notes),
      append(700),
      new Promise((done) => setImmediate(done)),
    ]);
    await appended;
    await follow();
    expect(await projector.drift(notes)).toEqual([{ table: 'note', rows: 0 }]);
    expect(await rows()).toHaveLength(2 * version);
  });

  it('[FIN-18] counts a changed row on both sides, one that is missing or too many on one', async () => {
    const drift = async () => (await projector.drift(notes))[0]?.rows;
    await sql(`update note set text = 'other' where position = 5 and line = 0`);
    expect(await drift()).toBe(2);
    await sql(`delete from note where position = 6 and line = 1`);
    expect(await drift()).toBe(3);
    await sql(`insert into note values (999999, 0, now(), 'extra')`);
    expect(await drift()).toBe(4);
    await sql(`update note set text = null where position = 7 and line = 1`);
    expect(await drift()).toBe(6);
    await projector.rebuild(notes);
    expect(await drift()).toBe(0);
  });

  it('[FIN-18] compares with what came while it refolded', async () => {
    let came = 0;
    // Without `adds`, because a bulk load would not call `apply`.
    const { adds: _, ...applied } = notes;
    const disturbed: typeof notes = {
      ...applied,
      async apply(client, events, how) {
        if ((came += 1) === 1) {
          await append(40);
          await follow();
        }
        await notes.apply(client, events, how);
      },
    };
    expect(await projector.drift(disturbed)).toEqual([{ table: 'note', rows: 0 }]);
    expect(came).toBeGreaterThan(1);
  });

  it('[FIN-18] refolds for more people at once than there are connections', async () => {
    const few = new Database(test.url, { maxConnections: 2 });
    const crowded = new Projector(few, new PostgresEventStore(few, new SystemClock()));
    const drifts = await Promise.all([1, 2, 3, 4, 5].map(() => crowded.drift(notes)));
    await few.close();
    expect(drifts.flat()).toEqual(Array(5).fill({ table: 'note', rows: 0 }));
  });

  it('reads in bulk what is written, and goes on when a connection is lost meanwhile', async () => {
    const { database } = test;
    const read = (query: string) => database.connected((client) => copyOut(client, query));
    const texts = TEXTS.filter((text) => text !== null);
    const literals = texts.map((text, n) => `(${n}, ${escapeLiteral(text)})`).join(', ');
    expect(await read(`select text, n from (values ${literals}) as t(n, text) order by n`)).toEqual(
      texts.map((text, n) => [text, `${n}`]),
    );
    const lost = read(
      `select n from generate_series(1, 100000) n where n < 90000 or pg_sleep(20) is not null`,
    );
    const outcome = expect(lost).rejects.toThrow('administrator');
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy (select n %' and datname = current_database()`;
    while ((await sql(end)).length === 0);
    await outcome;
    expect(await read('select 1')).toEqual([['1']]);
  });
});
