import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { binaryArrays } from '../../adapters/platform/database/binary-arrays.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('arrays in binary', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await startTestDatabase();
  });
  afterAll(() => test.close());

  async function elements(type: string, array: Buffer): Promise<unknown[]> {
    const { rows } = await test.database.pool.query(
      `select v::${type} as v from unnest($1::${type}[]) as v`,
      [array],
    );
    return rows.map((row: { v: unknown }) => row.v);
  }

  const texts = ['', 'plain', '"quoted", {braced} \\ and \n broken', 'ünïcode 🎧', null, 'x'.repeat(200_000)];
  const json = ['{"a": [1, "zwei"],  "spaces": "kept"}', '[]', '"🎧"'];

  it.each([
    ['text', binaryArrays.text(texts), texts],
    [
      'int4',
      binaryArrays.int4([0, -1, 2_147_483_647, -2_147_483_648, null]),
      [0, -1, 2_147_483_647, -2_147_483_648, null],
    ],
    [
      'int8',
      binaryArrays.int8([0, -1, 4_294_967_296, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]),
      [0, -1, 4_294_967_296, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
    ],
    [
      'timestamptz',
      binaryArrays.timestamptz([new Date(0), new Date('2031-05-06T07:08:09.123Z'), null]),
      [new Date(0), new Date('2031-05-06T07:08:09.123Z'), null],
    ],
    ['jsonb', binaryArrays.jsonb(json), json.map((text) => JSON.parse(text) as unknown)],
    ['bytea', binaryArrays.bytea(['00ff10', '']), [Buffer.from('00ff10', 'hex'), Buffer.alloc(0)]],
  ])('PostgreSQL reads what was meant: %s', async (type, array, expected) => {
    expect(await elements(type, array)).toEqual(expected);
  });

  it('keeps JSON byte for byte', async () => {
    const { rows } = await test.database.pool.query(`select v::text as v from unnest($1::json[]) as v`, [
      binaryArrays.json(json),
    ]);
    expect(rows.map((row: { v: string }) => row.v)).toEqual(json);
  });

  it('knows arrays without elements', async () => {
    expect(await elements('text', binaryArrays.text([]))).toEqual([]);
    expect(await elements('timestamptz', binaryArrays.timestamptz([]))).toEqual([]);
  });
});
