import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { PostgresCatalogueVersionQueries } from '../../adapters/catalogue/catalogue-version.js';
import { PostgresSampleQueries } from '../../adapters/catalogue/sample-queries.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { SamplesQuery } from '../../application/catalogue/contract.js';
import { SystemClock } from '../../application/shared/clock.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { recordPack } from '../support/catalogue.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { insertArtists, randomPack, randomQuery } from '../support/random-catalogue.js';

let test: TestDatabase;
let eventStore: PostgresEventStore;
let remembering: PostgresSampleQueries;
let reading: PostgresSampleQueries;

async function follow(): Promise<void> {
  const projector = new Projector(test.database, eventStore);
  while ((await projector.advance(catalogueSearch)) !== 'caught-up');
}

let packs = 0;
async function publish(seed: number, count: number): Promise<void> {
  for (const { samples, publishedAt, ...pack } of fc.sample(randomPack, { seed, numRuns: count })) {
    const packId = `p-${(packs += 1)}`;
    await recordPack(eventStore, { packId, slug: packId, ...pack }, samples, { publishedAt });
  }
  await follow();
}

/** How many samples a search reads. */
async function readBy(search: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(test.database.pool, 'query');
  await search();
  const read = query.mock.calls.flatMap(([asked]) => {
    const { name, values } = asked as unknown as { name?: string; values?: [string[]] };
    return name === 'listed-samples' && values ? values[0].length : [];
  });
  query.mockRestore();
  return read.reduce((sum, each) => sum + each, 0);
}

const everything = SamplesQuery.parse({ limit: 100 });
const found = (viewerId?: string) => remembering.search(everything, viewerId);

beforeAll(async () => {
  test = await startTestDatabase();
  eventStore = new PostgresEventStore(test.database, new SystemClock(), PROJECTIONS.appendedInline);
  await insertArtists(test.database);
  const version = new PostgresCatalogueVersionQueries(test.database);
  remembering = new PostgresSampleQueries(test.database, null, version);
  reading = new PostgresSampleQueries(test.database);
  await publish(1, 12);
}, 60_000);
afterAll(() => test?.close());

it('[OPS-247] what a visitor was shown is read once, and whoever is signed in reads theirs', async () => {
  const { items } = await found();
  expect(items.length).toBeGreaterThan(20);
  expect(await readBy(() => found())).toBe(0);
  const some = SamplesQuery.parse({ limit: 3, bpmMax: 199 });
  expect(await readBy(() => remembering.search(some, undefined))).toBe(0);
  expect(await readBy(() => found('somebody'))).toBe(items.length);
  expect((await found('somebody')).items[0]).toMatchObject({ saved: false, owned: false });
  expect((await found()).items[0]).not.toHaveProperty('owned');
});

it('[OPS-247] the next search shows what has changed: names of artists, packs that come', async () => {
  await found();
  await test.database.pool.query(
    `update user_account set display_name = display_name || ' the Second' where user_id = 'c-1'`,
  );
  const after = await found();
  const renamed = after.items.filter(({ creator }) => creator.id === 'c-1');
  expect(new Set(renamed.map(({ creator }) => creator.displayName))).toEqual(
    new Set(['Mira Drummond the Second']),
  );
  expect(await readBy(() => found())).toBe(0);
  await publish(2, 2);
  expect(await found()).toEqual(await reading.search(everything, undefined));
});

it('[OPS-247] answers are those of who remembers nothing, whatever changes between them', async () => {
  for (const [turn, query] of fc.sample(randomQuery, { seed: 3, numRuns: 60 }).entries()) {
    if (turn % 10 === 0) await publish(turn + 10, 1);
    if (turn % 7 === 0)
      await test.database.pool.query(`update user_account set display_name = $1 where user_id = 'c-2'`, [
        `Velvet ${turn}`,
      ]);
    expect(await remembering.search(query, undefined)).toEqual(await reading.search(query, undefined));
  }
});
