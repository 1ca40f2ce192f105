import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresFilesOnSale } from '../../adapters/ledger/proof/postgres-files-on-sale.js';
import { PublishedFiles } from '../../application/ledger/published-files.js';
import type { ObjectStorage } from '../../application/storage/object-storage.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { stock, STOCKED_FILES } from '../support/stock.js';

const DAY_MS = 86_400_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the files of samples on sale', () => {
  let test: TestDatabase;
  let files: PublishedFiles;
  let now: number;
  let stored: Map<string, string>;
  /** The samples whose files were read completely, ordered by id. */
  let read: string[];
  const clock = { now: () => new Date(now) };
  const keyOf = (sampleId: string) => STOCKED_FILES + sampleId;
  const storage = {
    head: async (key: string) => {
      const text = stored.get(key);
      return text === undefined ? undefined : { key, sizeBytes: text.length };
    },
    get: async (key: string) => {
      read.push(key.slice(STOCKED_FILES.length));
      return { body: Readable.from([Buffer.from(stored.get(key) ?? '')]) };
    },
  } as unknown as ObjectStorage;

  const sell = async (...sampleIds: string[]) => {
    for (const prefix of sampleIds) await stock(test.database, 1, { prefix });
    for (const prefix of sampleIds) stored.set(keyOf(`${prefix}0`), 'x');
    await test.database.pool.query(`update sample set original_sha256 = $1`, [sha256('x')]);
  };
  /** Returns the samples that `work` read. */
  const readBy = async (work: () => Promise<unknown>): Promise<string[]> => {
    read = [];
    await work();
    return read.toSorted();
  };
  const found = async (work: () => Promise<{ detail: string }[]>) =>
    (await work()).map(({ detail }) => detail);

  beforeAll(async () => {
    test = await startTestDatabase();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 20);
    stored = new Map();
    await test.database.pool.query('delete from sample; delete from pack; delete from file_check');
    files = new PublishedFiles(new PostgresFilesOnSale(test.database), storage, clock);
  });

  it('[FIN-144] reads each file as soon as it is new, and again after a week', async () => {
    await sell('a', 'b');
    expect(await files.allReadSince()).toBeUndefined();
    expect(await readBy(() => files.slice())).toEqual(['a0', 'b0']);
    now += DAY_MS;
    await sell('c');
    expect(await readBy(() => files.slice())).toEqual(['c0']);
    expect(await files.allReadSince()).toEqual(new Date(now - DAY_MS));
    now += 6 * DAY_MS;
    expect(await readBy(() => files.slice())).toEqual([]);
    now += 1;
    expect(await readBy(() => files.slice())).toEqual(['a0', 'b0']);
    now += DAY_MS;
    expect(await readBy(() => files.slice())).toEqual(['c0']);
  });

  it('[OPS-260] ends where it is cancelled', async () => {
    await sell('a');
    const cancelled = AbortSignal.abort(new Error('the job was cancelled'));
    await expect(files.slice(cancelled)).rejects.toThrow('the job was cancelled');
    await expect(files.checkAll(cancelled)).rejects.toThrow('the job was cancelled');
  });

  it('[FIN-144] reads a bounded number in a slice, those read longest ago first', async () => {
    const all = await stock(test.database, 2_100, { prefix: 'm' });
    await test.database.pool.query(`update sample set original_sha256 = $1`, [sha256('x')]);
    for (const id of all) stored.set(keyOf(id), 'x');
    const slices: string[][] = [];
    for (let n = 0; n < 3; n += 1) {
      slices.push(await readBy(() => files.slice()));
      now += 60_000;
    }
    expect(slices.map((slice) => slice.length)).toEqual([1_000, 1_000, 100]);
    expect(new Set(slices.flat())).toEqual(new Set(all));
    expect(await readBy(() => files.slice())).toEqual([]);
    now += 7 * DAY_MS;
    expect(await readBy(() => files.slice())).toEqual(slices[0]);
  });

  it.each([
    ['gone', (key: string) => stored.delete(key), 'has no file'],
    ['changed', (key: string) => stored.set(key, 'y'), 'has a file with other bytes'],
    ['longer', (key: string) => stored.set(key, 'xx'), 'has a file of 2 bytes, not 1'],
  ])(
    '[FIN-144] finds one that is %s within a week, and says so until it is whole',
    async (_, harm, fault) => {
      await sell('a', 'b');
      await files.slice();
      harm(keyOf('a0'));
      now += 7 * DAY_MS + 1;
      await files.slice();
      expect(await found(() => files.glance(0))).toEqual([`sample a0 ${fault}`]);
      expect(await found(() => files.check())).toEqual([`sample a0 ${fault}`]);
      stored.set(keyOf('a0'), 'x');
      expect(await found(() => files.glance(0))).toEqual([`sample a0 ${fault}`]);
      expect(await found(() => files.check())).toEqual([]);
      expect(await found(() => files.glance())).toEqual([]);
    },
  );

  it('[FIN-144] finds a new one that is wrong at once, and one that was replaced', async () => {
    await sell('a', 'b');
    stored.set(keyOf('b0'), 'y');
    expect(await found(() => files.check())).toEqual(['sample b0 has a file with other bytes']);
    // Another recording replaces the file.
    await test.database.pool.query(
      `update sample set original_sha256 = $1, original_key = original_key || '-2' where sample_id = 'a0'`,
      [sha256('z')],
    );
    stored.set(keyOf('a0-2'), 'y');
    stored.set(keyOf('b0'), 'x');
    expect(await found(() => files.check())).toEqual(['sample a0 has a file with other bytes']);
  });

  it('[FIN-144] reads everything when it is asked to, and forgets what is no longer on sale', async () => {
    await sell('a', 'b');
    await files.slice();
    stored.set(keyOf('a0'), 'y');
    stored.set(keyOf('b0'), 'y');
    expect(await found(() => files.glance())).toEqual([]);
    expect(await readBy(() => files.checkAll())).toEqual(['a0', 'b0']);
    await test.database.pool.query(`update sample set available = false where sample_id = 'a0'`);
    expect(await found(() => files.glance(0))).toEqual(['sample b0 has a file with other bytes']);
    await test.database.pool.query(`delete from sample where sample_id = 'b0'`);
    expect(await found(() => files.check())).toEqual([]);
    const { rows } = await test.database.pool.query('select sample_id from file_check');
    expect(rows).toEqual([{ sample_id: 'a0' }]);
  });
});
