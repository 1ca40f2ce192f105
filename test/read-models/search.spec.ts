import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { CatalogueModule } from '../../adapters/catalogue/catalogue.module.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { IndexFinder } from '../../adapters/catalogue/search/index-finder.js';
import { SampleQueries } from '../../adapters/catalogue/sample-queries.js';
import { searchText } from '../../adapters/platform/search/rows.js';
import { SamplesQuery, type SamplePage } from '../../application/catalogue/contract.js';
import type { CatalogueIndex } from '../../adapters/platform/search/catalogue-index.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { startTestApp } from '../support/app.js';
import { recordPack, recordPurchases } from '../support/catalogue.js';
import { breaksBooks } from '../support/invariants.js';
import { naiveSearch, naiveTitled, type NaiveSample } from '../support/naive-search.js';
import { published, sampleAdded } from '../support/pack-events.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sizeOf } from '../support/sizes.js';
import { insertArtists, randomPack, randomQuery, randomSample } from '../support/random-catalogue.js';
import { until } from '../support/until.js';

let test: TestDatabase;
let eventStore: PostgresEventStore;
let subscription: IndexSubscription;
let reader: SampleQueries;

const current = async (): Promise<CatalogueIndex> => {
  const index = await subscription.current();
  if (!index) throw new Error('the index is not there');
  return index;
};

/** Moves the search to the end of the log, as a worker does. */
async function follow(): Promise<void> {
  const projector = new Projector(test.database, eventStore);
  while ((await projector.advance(catalogueSearch)) !== 'caught-up');
}

async function fact(type: PackEvent['type'], data: { packId: string } & object): Promise<void> {
  const stream = `pack-${data.packId}`;
  const { rows } = await test.database.pool.query<{ version: number }>(
    'select max(version) as version from event where stream = $1',
    [stream],
  );
  const at = '2026-11-20T12:00:00.000Z';
  const event = { type, data: { at, ...data } };
  await eventStore.append([{ stream, expectedVersion: rows[0]?.version ?? 0, events: [event] }], {
    actor: 'test',
    correlationId: 'test',
  });
}

async function everySample(): Promise<NaiveSample[]> {
  const { rows } = await test.database.pool.query<NaiveSample>(
    `select s.sample_id as id, s.pack_id as "packId", s.title, array[ua.display_name, cp.handle] as artist, p.title as pack, p.genre, p.mood, s.key,
            s.bpm, s.instruments, s.duration_ms as "durationMs", s.has_midi as "hasMidi", s.has_stems as "hasStems", s.price_credits as "creditCost", s.origin, coalesce(d.downloads, 0) as downloads,
            (extract(epoch from p.published_at) * 1000)::float8 as "publishedAt"
       from sample s join pack p using (pack_id) join user_account ua on ua.user_id = p.creator_id
       join creator_profile cp on cp.user_id = p.creator_id
       left join download_count d on d.kind = 'sample' and d.id = s.sample_id
      where s.available`,
  );
  return rows;
}

/** Returns all pages together. */
async function wholeAnswer(query: SamplesQuery) {
  const ids: string[] = [];
  let page: SamplePage = await reader.search(query, undefined);
  const { total, facets, interpretation } = page;
  for (;;) {
    ids.push(...page.items.map((item) => item.id));
    if (page.nextCursor === null) return { ids, total, facets, dropped: interpretation.dropped };
    page = await reader.search({ ...query, cursor: page.nextCursor }, undefined);
    expect([page.total, page.facets]).toEqual([total, facets]);
  }
}

/** Checks that the index answers every query like the naive search. */
async function expectEqualAnswers(seed: number, numRuns: number): Promise<void> {
  const samples = await everySample();
  await fc.assert(
    fc.asyncProperty(randomQuery, async (query) => {
      expect(await wholeAnswer(query)).toEqual(naiveSearch(samples, query));
      const text = searchText(query.q);
      if (text === '') return;
      const index = new IndexFinder(test.database, await current());
      expect({ samples: index.samplesTitled(text, 5), packs: index.packsTitled(text, 5) }).toEqual(
        naiveTitled(samples, text, 5),
      );
    }),
    { seed, numRuns },
  );
}

async function ownerOf(packId: string): Promise<string> {
  const found = await test.database.pool.query('select creator_id from pack where pack_id = $1', [packId]);
  return (found.rows[0] as { creator_id: string }).creator_id;
}

let packs = 0;
async function publishRandomPacks(seed: number, count: number): Promise<string[]> {
  const packIds: string[] = [];
  for (const { samples, publishedAt, ...pack } of fc.sample(randomPack, { seed, numRuns: count })) {
    const packId = `p-${(packs += 1)}`;
    packIds.push(packId);
    await recordPack(eventStore, { packId, slug: packId, ...pack }, samples, { publishedAt });
    const bought = samples.flatMap((_, index) =>
      index % 3 === 0 ? [{ sampleId: `${packId}-${index}`, packId, creatorId: pack.creatorId }] : [],
    );
    for (const [nth, sample] of bought.entries())
      await recordPurchases(
        eventStore,
        sample,
        Array.from({ length: (packs + nth) % 3 }, (_, buyer) => `b${buyer}`),
      );
  }
  return packIds;
}

beforeAll(async () => {
  test = await startTestDatabase();
  breaksBooks(test.database, 'what is counted was sold without credits', [5, 7, 'owned-samples']);
  eventStore = new PostgresEventStore(test.database, new SystemClock(), PROJECTIONS.appendedInline);
  await insertArtists(test.database);
  await publishRandomPacks(1, 45);
  await follow();
  // Long, because on a busy machine the search would lag behind.
  subscription = new IndexSubscription(test.database, console, 20_000);
  reader = new SampleQueries(test.database, subscription);
  subscription.onApplicationBootstrap();
  await subscription.built();
});
afterAll(async () => {
  await subscription?.onApplicationShutdown();
  await test?.close();
});

describe('[SRCH-03] [SRCH-04] [SRCH-05] [FLT-07] [FLT-08] the index in memory', () => {
  it('answers random queries: ids, order, totals, facets, titles of suggestions', async () => {
    await expectEqualAnswers(2, sizeOf('SEARCH_QUERIES'));
  });

  it('answers after everything that can change, without waiting for anything else', async () => {
    const packIds = await publishRandomPacks(3, 6);
    const [renamed, regrouped, hidden, removed, gone, taken] = packIds as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const samples = fc.sample(randomSample, { seed: 4, numRuns: 3 });
    await fact('PackRenamed', { packId: renamed, name: 'Kick Drums', slug: 'kick-drums' } as never);
    await fact('PackClassified', { packId: regrouped, genre: 'Trap', mood: 'Romantic' } as never);
    await fact('SampleDescribed', {
      packId: 'p-1',
      sampleId: 'p-1-0',
      isRoyaltyFree: true,
      ...samples[0],
    } as never);
    await fact('SamplePriceChanged', { packId: 'p-2', sampleId: 'p-2-0', priceCredits: 9 } as never);
    await fact('PackUnpublished', { packId: hidden });
    await fact('SampleRemoved', { packId: removed, sampleId: `${removed}-0` } as never);
    await fact('PackDeleted', { packId: gone });
    await fact('PackTakenDown', { packId: taken, reason: 'theft' } as never);
    await fact('PackUnpublished', { packId: 'p-3' });
    await fact('PackTakenDown', { packId: 'p-4', reason: 'theft' } as never);
    await fact('PackUnpublished', { packId: 'p-5' });
    await fact('PackPublished', { ...published('p-5', '2026-11-19T00:00:00.000Z').data } as never);
    await fact('SampleAdded', {
      ...sampleAdded({ packId: 'p-6', sampleId: 'p-6-new', creatorId: await ownerOf('p-6'), ...samples[1] })
        .data,
    });
    const buyers = ['x1', 'x2', 'x3', 'x4', 'x5'];
    for (const packId of ['p-1', 'p-6', 'p-7', 'p-8'])
      await recordPurchases(eventStore, { sampleId: `${packId}-0`, packId, creatorId: 'c-1' }, buyers);
    await follow();
    await current();
    // Moves to the front for the second time since the index was built.
    const more = Array.from({ length: 9 }, (_, buyer) => `y${buyer}`);
    await recordPurchases(eventStore, { sampleId: 'p-7-0', packId: 'p-7', creatorId: 'c-1' }, more);
    await follow();
    const [first] = (await reader.search(SamplesQuery.parse({}), undefined)).items;
    expect(first?.id).toBe('p-7-0');
    await expectEqualAnswers(5, sizeOf('SEARCH_QUERIES'));
  });

  it('is built again when the table was, with the same answers', async () => {
    const before = await current();
    await test.database.pool.query(
      `update checkpoint set version = version + 1 where name = 'catalogue-search'`,
    );
    // The table was rebuilt, so the index may describe an older one.
    const after = await current();
    expect(after).not.toBe(before);
    expect(after.changes).toEqual({ rows: 0, promoted: 0 });
    await expectEqualAnswers(6, 60);
    await test.database.pool.query(
      `update checkpoint set version = version - 1 where name = 'catalogue-search'`,
    );
  });
});

describe('[SRCH-07] words over all fields', () => {
  beforeAll(async () => {
    const facts = { bpm: 90, key: 'A Minor', instruments: [] as string[] };
    const pack = {
      name: 'Qux kit',
      genre: 'Boom-Bap',
      mood: 'Dusty',
      creatorId: 'c-2',
      publishedAt: '2026-11-05T00:00:00.000Z',
    };
    const add = ({ publishedAt, ...face }: typeof pack, packId: string, samples: object[]) =>
      recordPack(
        eventStore,
        { packId, slug: packId, ...face } as never,
        samples.map((each) => ({ ...facts, ...each })) as never,
        { publishedAt },
      );
    await add(pack, 'w-1', [
      { title: 'Qux thump', instruments: ['Kick', 'Drums'] },
      { title: 'Qux tick', instruments: ['Hi-Hat'], bpm: 140, key: null },
      { title: 'Qux chords', instruments: ['Piano'], key: 'Bb Minor' },
    ]);
    await add({ ...pack, name: 'Qux rooms', genre: 'Lofi' }, 'w-2', [
      { title: 'Qux velour', bpm: 77, key: 'C Major' },
    ]);
    await add({ ...pack, name: 'Qux nights', genre: 'R&B' }, 'w-3', [
      { title: 'Qux vinyl kick drum', bpm: 0 },
      { title: 'Soul of qux', instruments: ['Rhodes'] },
    ]);
    await add({ ...pack, name: 'Little zork tin' }, 'v-1', [{ title: 'Plain thing' }]);
    await add({ ...pack, name: 'Other tin' }, 'v-2', [{ title: 'Little zork' }]);
    await follow();
    await subscription.current();
    await subscription.built();
  });

  it('[SRCH-705] puts samples that have all words themselves before those of a pack that has them', async () => {
    const { items } = await reader.search(SamplesQuery.parse({ q: 'zork little' }), undefined);
    expect(items.map(({ id }) => id)).toEqual(['v-2-0', 'v-1-0']);
  });

  it('[SRCH-704] finds an artist with a typing error in the name', async () => {
    const { items, interpretation } = await reader.search(
      SamplesQuery.parse({ q: 'qux velour velvat' }),
      undefined,
    );
    expect([items.map(({ id }) => id), interpretation.dropped]).toEqual([['w-2-0'], []]);
  });

  it.each([
    ['qux kick drum', ['w-1-0', 'w-3-0']],
    ['qux boom bap', ['w-1-0', 'w-1-1', 'w-1-2']],
    ['qux boombap', ['w-1-0', 'w-1-1', 'w-1-2']],
    ['qux lo-fi', ['w-2-0']],
    ['qux rnb', ['w-3-0', 'w-3-1']],
    ['qux hihat', ['w-1-1']],
    ['qux hi hats', ['w-1-1']],
    ['qux 90 bpm', ['w-1-0', 'w-1-2', 'w-3-1']],
    ['90bpm qux', ['w-1-0', 'w-1-2', 'w-3-1']],
    ['qux a minor', ['w-1-0', 'w-3-0', 'w-3-1']],
    ['qux a# min', ['w-1-2']],
    ['qux drum loop', ['w-1-0']],
    ['qux one shot', ['w-3-0']],
    ['qux 85-95 bpm drums', ['w-1-0']],
    ['qux fast', ['w-1-1']],
    ['qux slow', ['w-2-0']],
    ['qux am', ['w-1-0', 'w-3-0', 'w-3-1']],
    ['qux keys', ['w-1-2', 'w-3-1']],
    ['qux hihta', ['w-1-1']],
    ['elour qux', ['w-2-0']],
    ['soul qux electric piano', ['w-3-1']],
    ['boom bap qux kit juno', ['w-1-0', 'w-1-1', 'w-1-2']],
    ['qux drumm', ['w-1-0', 'w-3-0']],
    ['qux velor', ['w-2-0']],
    ['qux veluor', ['w-2-0']],
    ['velouur', ['w-2-0']],
  ])('%s', async (q, expected) => {
    const { items } = await reader.search(SamplesQuery.parse({ q }), undefined);
    expect(items.map(({ id }) => id).sort()).toEqual(expected);
  });

  it('[SRCH-540] drops the fewest words where no sample has all, and says which', async () => {
    const asked = async (q: string) => {
      const { items, interpretation } = await reader.search(SamplesQuery.parse({ q }), undefined);
      return { ids: items.map(({ id }) => id).sort(), ...interpretation };
    };
    expect(await asked('qux 77 bpm minor velour')).toEqual({ ids: ['w-2-0'], dropped: ['minor'] });
    // Drops the tempo rather than the instrument.
    expect(await asked('qux 77 bpm hihat')).toEqual({ ids: ['w-1-1'], dropped: ['77 bpm'] });
    expect(await asked('qux zzyzx hihat')).toEqual({ ids: ['w-1-1'], dropped: ['zzyzx'] });
    expect(await asked('qux velour')).toEqual({ ids: ['w-2-0'], dropped: [] });
    // Words that match only with a typing error do not cause others to be dropped.
    expect(await asked('veluor zzyzx')).toEqual({ ids: [], dropped: [] });
    // A misspelled name that producers use is not chance.
    const { ids } = await asked('hihat');
    expect(ids).toContain('w-1-1');
    expect(await asked('hihta zzyzx')).toEqual({ ids, dropped: ['zzyzx'] });
    expect(await asked('hihta veluor zzyzx')).toEqual({ ids, dropped: ['veluor', 'zzyzx'] });
    expect(await asked('qux veluor zzyzx')).toEqual({ ids: ['w-2-0'], dropped: ['zzyzx'] });
  });

  it('[SRCH-04] the literal phrase in a title comes first, and suggestions know the same words', async () => {
    const { items } = await reader.search(SamplesQuery.parse({ q: 'kick drum' }), undefined);
    const literal = items.map(({ title }) => title.toLowerCase().includes('kick drum'));
    expect(literal).toEqual(literal.toSorted((a, b) => Number(b) - Number(a)));
    expect([literal[0], literal.at(-1)]).toEqual([true, false]);
    const kinds = async (q: string) =>
      (await reader.suggestions(q)).items.map(({ kind, label }) => `${kind} ${label}`);
    expect(await kinds('qux velor')).toEqual(['sample Qux velour']);
    expect(await kinds('rnb')).toContain('genre R&B');
    expect(await kinds('boom b')).toContain('genre Boom-Bap');
  });
});

describe('while the index is not there', () => {
  const anything = SamplesQuery.parse({ q: 'drum' });

  it('[OPS-641] a search is refused before the first build, and answered from memory afterwards', async () => {
    const another = new IndexSubscription(test.database, console, 20_000);
    const early = new SampleQueries(test.database, another);
    const expected = await reader.search(anything, undefined);
    const refused = { name: 'SearchNotReady' };
    await expect(early.search(anything, undefined)).rejects.toMatchObject(refused);
    await expect(early.suggestions('drum')).rejects.toMatchObject(refused);
    another.onApplicationBootstrap();
    // Waits for the build.
    expect(await early.search(anything, undefined)).toEqual(expected);
    await another.onApplicationShutdown();
    expect(await early.search(anything, undefined)).toEqual(expected);
  });

  it('the index answers as it is when it cannot catch up in time', async () => {
    const another = new IndexSubscription(test.database, console, 250);
    another.onApplicationBootstrap();
    await another.built();
    const blocker = await test.database.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table checkpoint in access exclusive mode');
    const answer = await new SampleQueries(test.database, another).search(anything, undefined);
    await blocker.query('rollback');
    blocker.release();
    expect(answer).toEqual(await reader.search(anything, undefined));
    await another.onApplicationShutdown();
  });

  it.each([true, false])('the product has an index: %j', async (searchIndex) => {
    const app = await startTestApp({
      database: test.database,
      imports: [CatalogueModule],
      config: { searchIndex },
    });
    const { status, body } = await app.browser().get('/api/samples?q=drum');
    if (searchIndex) expect(body).toEqual(await reader.search(anything, undefined));
    else expect([status, body.code]).toEqual([503, 'ServiceUnavailable']);
    await app.close();
  });

  it('says why it was not built, and stops without waiting for the next attempt', async () => {
    const warnings: string[] = [];
    const broken = { ...test.database, longTransaction: () => Promise.reject(new Error('no connection')) };
    const another = new IndexSubscription(broken as never, { warn: (message) => warnings.push(message) });
    another.onApplicationBootstrap();
    await until(() => warnings.length > 0);
    let hasStopped = false;
    void another.onApplicationShutdown().then(() => (hasStopped = true));
    // No timer ends within one turn of the event loop.
    await setImmediate();
    expect(hasStopped).toBe(true);
    expect(warnings).toEqual(['the search index was not built: no connection']);
  });
});
