import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LATER_INDEXES, makeLaterIndexes } from '../../adapters/platform/database/migrate.js';
import { OUTLIVED, OutlivedRows } from '../../adapters/platform/database/outlived-rows.js';
import { TestClock } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const FILL: Record<(typeof OUTLIVED)[number]['table'], string> = {
  purchase_request: `insert into purchase_request (user_id, key, request_hash, outcome, created_at)
    select 'u', $2 || n, 'h', '{}', $1::timestamptz from generate_series(1, $3::int) n`,
  receipt: `insert into receipt (fact, begun_at) select $2 || n, $1::timestamptz from generate_series(1, $3::int) n`,
  notice: `insert into notice (user_id, fact, kind, subject, at)
    select 'u', $2 || n, 'sales', '', $1::timestamptz from generate_series(1, $3::int) n`,
  mailbox: `insert into mailbox (recipient, subject, text, links, sent_at)
    select 'a@example.com', $2 || n, '', '{}', $1::timestamptz from generate_series(1, $3::int) n`,
  upload_progress: `insert into upload_progress (user_id, upload_id, phase, share, changed_at)
    select 'u', $2 || n, 'done', 1, $1::timestamptz from generate_series(1, $3::int) n`,
  direct_upload: `insert into direct_upload
    (user_id, upload_id, pack_id, filename, size_bytes, object_key, multipart_id, begun_at)
    select 'u', $2 || n, 'p', 'a.wav', 1, 'k', 'm', $1::timestamptz from generate_series(1, $3::int) n`,
  sample_encoding: `insert into sample_encoding
    (user_id, pack_id, upload_id, object_key, filename, becomes, ordered_at)
    select 'u', 'p', $2 || n, 'k', 'a.wav', '{}', $1::timestamptz from generate_series(1, $3::int) n`,
  sample_reach: `insert into sample_reach (sample_id, day)
    select $2 || n, $1::timestamptz from generate_series(1, $3::int) n`,
  creator_find: `insert into creator_find (creator_id, day, term, finds)
    select 'u', $1::timestamptz, $2 || n, 1 from generate_series(1, $3::int) n`,
  tax_detail: `insert into tax_detail (creator_id, changed_at, closed_at)
    select $2 || n, $1::timestamptz, $1::timestamptz from generate_series(1, $3::int) n`,
};
const clock = new TestClock();
let test: TestDatabase;

beforeAll(async () => {
  test = await startTestDatabase();
});
afterAll(() => test?.close());

it('[OPS-192] removes what is past its time, batch by batch, and nothing else', async () => {
  const { pool } = test.database;
  for (const { table, days } of OUTLIVED)
    for (const [name, ageMs, rows] of [
      ['old', days * 86_400_000 + 1, 7],
      ['kept', days * 86_400_000, 2],
    ] as const)
      await pool.query(FILL[table], [new Date(clock.now().getTime() - ageMs), name, rows]);
  const outlived = new OutlivedRows(test.database, clock);
  expect(await outlived.sweep(3)).toBe(OUTLIVED.length * 7);
  expect(await outlived.sweep()).toBe(0);
  for (const { table, time } of OUTLIVED) {
    const { rows } = await pool.query<{ left: number; indexed: boolean }>(
      `select (select count(*)::int from ${table}) as left,
              exists (select 1 from pg_indexes where tablename = $1 and indexdef like '%(' || $2 || ')') as indexed`,
      [table, time],
    );
    expect([table, rows[0]]).toEqual([table, { left: 2, indexed: true }]);
  }
});

it('[OPS-192] makes an index anew that was interrupted, and leaves the others', async () => {
  const { pool } = test.database;
  const indexes = async () =>
    (
      await pool.query<{ name: string; oid: number; valid: boolean }>(
        `select c.relname as name, c.oid, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
          where c.relname = any($1) order by 1`,
        [Object.keys(LATER_INDEXES)],
      )
    ).rows;
  const [broken, whole] = await indexes();
  await pool.query('update pg_index set indisvalid = false where indexrelid = $1', [broken?.oid]);
  await Promise.all([makeLaterIndexes(test.database), makeLaterIndexes(test.database)]);
  const [remade, left] = await indexes();
  expect([remade?.valid, remade?.oid === broken?.oid]).toEqual([true, false]);
  expect(left).toEqual(whole);
});
