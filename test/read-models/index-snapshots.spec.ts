import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SampleQueries } from '../../adapters/catalogue/sample-queries.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { buildIndex, catchUp } from '../../adapters/catalogue/search/index-feed.js';
import { IndexSnapshots } from '../../adapters/catalogue/search/index-snapshots.js';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { CatalogueIndex } from '../../adapters/platform/search/catalogue-index.js';
import { segmentBytes, segmentFrom } from '../../adapters/platform/search/segment-file.js';
import { SystemClock } from '../../application/shared/clock.js';
import { EVERY_TRACK } from '../../domain/catalogue/filter.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { recordPack, recordPurchases } from '../support/catalogue.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { insertArtists, randomPack, randomQuery } from '../support/random-catalogue.js';

const root = mkdtempSync(join(tmpdir(), 'offcut-snapshots-'));
const clock = {
  ahead: 0,
  now(): Date {
    return new Date(Date.now() + this.ahead);
  },
};
const storage = new DiskObjectStorage({
  root,
  publicUrl: 'http://localhost',
  signingKey: Buffer.alloc(32, 1),
  clock,
});
let test: TestDatabase;
let eventStore: PostgresEventStore;
let snapshots: IndexSnapshots;
const warnings: string[] = [];
const log = { warn: (message: string) => void warnings.push(message) };

async function follow(): Promise<void> {
  const projector = new Projector(test.database, eventStore);
  while ((await projector.advance(catalogueSearch)) !== 'caught-up');
}

let packs = 0;
async function publish(count: number): Promise<void> {
  for (const { samples, publishedAt, ...pack } of fc.sample(randomPack, { seed: packs, numRuns: count })) {
    const packId = `p-${(packs += 1)}`;
    await recordPack(eventStore, { packId, slug: packId, ...pack }, samples, { publishedAt });
    await recordPurchases(eventStore, { sampleId: `${packId}-0`, packId, creatorId: pack.creatorId }, ['b1']);
  }
  await follow();
}

const keys = async (): Promise<string[]> =>
  (await storage.list({ prefix: 'search/' })).objects.map(({ key }) => key);

/** Starts a node that may read the table or not. */
async function started(mayReadTable = false) {
  let reads = 0;
  const database = Object.create(test.database) as TestDatabase['database'];
  database.longTransaction = (work) => {
    reads += 1;
    if (!mayReadTable) throw new Error('the table was read');
    return test.database.longTransaction(work);
  };
  const subscription = new IndexSubscription(database, log, 20_000, snapshots);
  subscription.onApplicationBootstrap();
  await subscription.built();
  const index = await subscription.current();
  await subscription.onApplicationShutdown();
  return { index, reads };
}

beforeAll(async () => {
  test = await startTestDatabase();
  breaksBooks(test.database, 'what is counted was sold without credits', [5, 7, 'owned-samples']);
  eventStore = new PostgresEventStore(test.database, new SystemClock(), PROJECTIONS.appendedInline);
  await insertArtists(test.database);
  snapshots = new IndexSnapshots(test.database, storage, clock, log, 1);
  await publish(12);
});
beforeEach(async () => {
  warnings.length = 0;
  clock.ahead = 0;
  for (const key of await keys()) await storage.delete(key);
});
afterAll(async () => {
  await test?.close();
  rmSync(root, { recursive: true, force: true });
});

it('[OPS-190] a segment is the same when it was written and read', async () => {
  const built = await buildIndex(test.database, () => false);
  if (!built) throw new Error('not built');
  const origin = { version: built.version, position: built.position, log: 'ab' };
  const bytes = Buffer.concat([...segmentBytes(built.segment, origin)]);
  const read = await segmentFrom(new Uint8Array(bytes).buffer);
  expect(read.origin).toEqual(origin);
  expect(read.segment).toEqual(built.segment);
});

it('[OPS-190] a snapshot is as large as its segment, and its header tells only where it comes from and how it lies', async () => {
  await snapshots.write();
  const [key = ''] = await keys();
  const written = await buffer((await storage.get(key)).body);
  const built = await buildIndex(test.database, () => false);
  if (!built) throw new Error('not built');
  const { version, position } = built;
  const { origin } = await segmentFrom(new Uint8Array(written).buffer);
  expect(origin).toEqual({ version, position, log: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const alone = Buffer.concat([...segmentBytes(built.segment, origin)]);
  expect(written.length).toBe(alone.length);
});

it('[OPS-190] a node starts from a snapshot without reading the table, and knows what came after it', async () => {
  await snapshots.write();
  await publish(3);
  const { index, reads } = await started();
  expect([reads, warnings]).toEqual([0, []]);
  const fresh = await buildIndex(test.database, () => false);
  if (!fresh) throw new Error('not built');
  const [loaded, built] = [index, new CatalogueIndex(fresh.segment, fresh.position)].map(
    (each) => new SampleQueries(test.database, { current: async () => each, lastKnown: () => each }),
  );
  for (const query of fc.sample(randomQuery, { seed: 5, numRuns: 60 }))
    expect(await loaded?.search(query, undefined)).toEqual(await built?.search(query, undefined));
});

it('[OPS-190] an index far behind follows in pages', async () => {
  const old = await buildIndex(test.database, () => false);
  await publish(3);
  const fresh = await buildIndex(test.database, () => false);
  if (!old || !fresh) throw new Error('not built');
  const [index, anew] = [old, fresh].map(({ segment, position }) => new CatalogueIndex(segment, position));
  expect(await catchUp(test.database, index!, old.version, 2)).toBe('caught up');
  expect(index?.position).toBe(fresh.position);
  const all = (of?: CatalogueIndex) =>
    of?.browse(EVERY_TRACK, {}, 1_000).map(({ sampleId, popularity }) => [sampleId, popularity]);
  expect(all(index)).toEqual(all(anew));
  expect(await catchUp(test.database, anew!, old.version + 1)).toBe('lost');
});

it('[OPS-190] what is broken, of another log, version or format is left alone: the one before it, else the table', async () => {
  await snapshots.write();
  const [good = ''] = await keys();
  const bytes = await buffer((await storage.get(good)).body);
  const put = (key: string, body: Buffer) => storage.put(key, body, { contentType: 'x' });
  const broken = Buffer.from(bytes);
  broken[broken.length >> 1] = (broken[broken.length >> 1] ?? 0) ^ 1;
  const named = (text: string) => good.replace(/\d+-[0-9a-f]+/, text);
  await put(named(`1-${'0'.repeat(32)}`), bytes);
  await put(named(`999999-${'0'.repeat(32)}`), bytes);
  await put(named('hello'), bytes);
  await put(good.replace(/\/\d+\/([^/]+)$/, '/999/$1'), Buffer.from('of the future'));
  expect((await started()).reads).toBe(0);
  for (const body of [broken, bytes.subarray(0, 100), Buffer.alloc(0)]) {
    warnings.length = 0;
    await put(good, body);
    const { index, reads } = await started(true);
    expect([reads, index !== undefined, warnings.length]).toEqual([1, true, 1]);
    expect(warnings[0]).toContain(good);
  }
  storage.list = () => Promise.reject(new Error('the storage is away'));
  warnings.length = 0;
  expect((await started(true)).reads).toBe(1);
  expect(warnings).toEqual(['no snapshot of the search index was read: the storage is away']);
  delete (storage as Partial<DiskObjectStorage>).list;
});

it('[OPS-190] one is written each ten minutes if something has moved; three are kept', async () => {
  const written = async (): Promise<number> => {
    const before = await keys();
    await snapshots.write();
    return (await keys()).filter((key) => !before.includes(key)).length;
  };
  expect(await written()).toBe(1);
  await publish(1);
  expect(await written()).toBe(0);
  clock.ahead = 11 * 60_000;
  expect(await written()).toBe(1);
  for (let round = 0; round < 3; round += 1) {
    await publish(1);
    clock.ahead += 11 * 60_000;
    expect(await written()).toBe(1);
  }
  expect(await written()).toBe(0);
  expect(await keys()).toHaveLength(3);
  const small = new IndexSnapshots(test.database, storage, clock, log);
  await publish(1);
  clock.ahead += 11 * 60_000;
  const before = await keys();
  await small.write();
  expect(await keys()).toEqual(before);
});
