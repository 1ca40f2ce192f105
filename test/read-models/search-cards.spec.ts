import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { PostgresCatalogueVersionQueries } from '../../adapters/catalogue/postgres-catalogue-version.js';
import { SampleQueries } from '../../adapters/catalogue/sample-queries.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { SamplesQuery } from '../../application/catalogue/contract.js';
import { SystemClock } from '../../application/shared/clock.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { recordPack } from '../support/catalogue.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { insertArtists, randomPack, randomQuery } from '../support/random-catalogue.js';

let test: TestDatabase;
let eventStore: PostgresEventStore;
let subscription: IndexSubscription;
let remembering: SampleQueries;
let reading: SampleQueries;

async function follow(): Promise<void> {
  const projector = new Projector(test.database, eventStore);
  while ((await projector.advance(catalogueSearch)) !== 'caught-up');
}

let packs = 0;
/** @returns its id */
async function publish(seed: number): Promise<string> {
  const [made] = fc.sample(randomPack, { seed, numRuns: 1 });
  if (!made) throw new Error('no pack was made');
  const { samples, publishedAt, ...pack } = made;
  const packId = `p-${(packs += 1)}`;
  const facts = samples.map((sample, at) => ({
    ...sample,
    priceCredits: 1 + (at % 5),
    durationMs: 100_000 * (at + 1) + seed,
    isRoyaltyFree: at % 2 === 0,
    previewKey: `media/previews/${packId}-${at}.mp3`,
    waveform: Array.from({ length: 50 }, (_, bar) => (bar * (at + seed)) % 101),
  }));
  await recordPack(eventStore, { packId, slug: `slug-${packId}`, ...pack }, facts, { publishedAt });
  return packId;
}

async function record(packId: string, ...events: { type: PackEvent['type']; data: object }[]): Promise<void> {
  const stream = `pack-${packId}`;
  const { rows } = await test.database.pool.query<{ version: number }>(
    'select max(version) as version from event where stream = $1',
    [stream],
  );
  const facts = events.map(({ type, data }) => ({
    type,
    data: { packId, at: '2026-11-20T12:00:00.000Z', ...data },
  }));
  await eventStore.append([{ stream, expectedVersion: rows[0]?.version ?? 0, events: facts }], {
    actor: 'test',
    correlationId: 'test',
  });
}

const attachment = {
  filename: 'a.zip',
  path: 'a.zip',
  sha256: 'c',
  sizeBytes: 3,
  contentType: 'application/zip',
};

/** Changes everything that a list shows of a pack and its first sample. */
const changed = (packId: string, turn: number) =>
  record(
    packId,
    { type: 'PackRenamed', data: { name: `Renamed ${turn}`, slug: `renamed-${turn}` } },
    { type: 'PackCoverReplaced', data: { coverKey: `media/covers/${turn}.webp` } },
    { type: 'SamplePriceChanged', data: { sampleId: `${packId}-0`, priceCredits: 7 + turn } },
    { type: 'StemsAttached', data: { sampleId: `${packId}-0`, ...attachment } },
    { type: 'MidiAttached', data: { sampleId: `${packId}-0`, ...attachment } },
  );

/** Returns the statements that a search sends. */
async function sentBy(search: () => Promise<unknown>): Promise<string[]> {
  const query = jest.spyOn(test.database.pool, 'query');
  await search();
  const names = query.mock.calls.map(([asked]) => (asked as unknown as { name?: string }).name ?? '');
  query.mockRestore();
  return names;
}

const everything = SamplesQuery.parse({ limit: 100 });

/** Checks that the caching search answers like the reading one, for visitors and for a signed-in listener. */
async function expectAlike(query: SamplesQuery): Promise<void> {
  for (const viewerId of [undefined, 'c-3'])
    expect(await remembering.search(query, viewerId)).toEqual(await reading.search(query, viewerId));
}

beforeAll(async () => {
  test = await startTestDatabase();
  eventStore = new PostgresEventStore(test.database, new SystemClock(), PROJECTIONS.appendedInline);
  await insertArtists(test.database);
  for (let seed = 1; seed <= 12; seed++) await publish(seed);
  await follow();
  // Long, because on a busy machine the search would lag behind.
  subscription = new IndexSubscription(test.database, console, 20_000);
  subscription.onApplicationBootstrap();
  await subscription.built();
  const version = new PostgresCatalogueVersionQueries(test.database);
  remembering = new SampleQueries(test.database, subscription, version);
  reading = new SampleQueries(test.database, subscription);
  await test.database.pool.query(
    `insert into saved_item (user_id, item, item_id, created_at)
     select 'c-3', '{}', sample_id, now() from sample where ordinal = 1`,
  );
});
afterAll(async () => {
  await subscription?.onApplicationShutdown();
  await test?.close();
});

it('[OPS-247] a search reads no sample; who is signed in is told what they saved and own, at each search', async () => {
  const first = await remembering.search(everything, undefined);
  expect(first.items.length).toBeGreaterThan(20);
  expect(first.items[0]).not.toHaveProperty('owned');
  const read = ['listed-samples', 'marks-of-samples', 'artists-shown'];
  const ofSamples = (names: string[]) => names.filter((name) => read.includes(name));
  expect(ofSamples(await sentBy(() => remembering.search(everything, undefined)))).toEqual([]);
  const byTitle = SamplesQuery.parse({ sort: 'title', limit: 5 });
  expect(ofSamples(await sentBy(() => remembering.search(byTitle, undefined)))).toEqual([]);
  for (const _ of ['once', 'and again'])
    expect(ofSamples(await sentBy(() => remembering.search(everything, 'c-3')))).toEqual([
      'marks-of-samples',
    ]);
  const { items } = await remembering.search(everything, 'c-3');
  expect(new Set(items.map(({ saved }) => saved))).toEqual(new Set([true, false]));
});

it('[OPS-247] the next search shows what has changed: names of artists, facts of samples, packs that come', async () => {
  await remembering.search(everything, undefined);
  await test.database.pool.query(
    `update user_account set display_name = display_name || ' the Second' where user_id = 'c-1'`,
  );
  const { items } = await remembering.search(everything, undefined);
  const renamed = items.filter(({ creator }) => creator.id === 'c-1');
  expect(new Set(renamed.map(({ creator }) => creator.displayName))).toEqual(
    new Set(['Mira Drummond the Second']),
  );
  await changed('p-1', 1);
  await publish(20);
  await follow();
  await expectAlike(everything);
  const [sample] = (await remembering.search(everything, undefined)).items.filter(({ id }) => id === 'p-1-0');
  expect(sample).toMatchObject({
    pack: { title: 'Renamed 1', slug: 'renamed-1' },
    artworkUrl: '/media/covers/1.webp',
    creditCost: 8,
    hasStems: true,
    hasMidi: true,
  });
});

it('[OPS-247] while the search has not followed a change, nothing is shown that is sold no more, or for another price', async () => {
  await record('p-2', { type: 'PackUnpublished', data: {} });
  await changed('p-3', 2);
  await expectAlike(everything);
  const { items } = await remembering.search(everything, undefined);
  expect(items.some(({ pack }) => pack.id === 'p-2')).toBe(false);
  expect(items.find(({ id }) => id === 'p-3-0')?.creditCost).toBe(9);
  await follow();
  await expectAlike(everything);
});

it('[OPS-247] answers are those of who remembers nothing, whatever changes between them', async () => {
  for (const [turn, query] of fc.sample(randomQuery, { seed: 3, numRuns: 60 }).entries()) {
    if (turn % 10 === 0) await publish(turn + 30);
    if (turn % 6 === 0) await changed(`p-${4 + turn / 6}`, turn);
    if (turn % 4 !== 0) await follow();
    if (turn % 7 === 0)
      await test.database.pool.query(`update user_account set display_name = $1 where user_id = 'c-2'`, [
        `Velvet ${turn}`,
      ]);
    await expectAlike(query);
  }
});
