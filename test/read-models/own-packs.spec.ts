import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InlineProjection } from '../../adapters/platform/projections/projection.js';
import { ownPacks } from '../../adapters/publishing/own-packs.js';
import { typeRuns } from '../../adapters/platform/projections/type-runs.js';
import type { RecordedEvent } from '../../application/shared/event-store.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { randomFrom, type Random } from '../../domain/shared/seeded-random.js';
import { drafted, published, recorder, sampleAdded, someAudio } from '../support/pack-events.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { SEED, sizeOf } from '../support/sizes.js';

const CHANGES = sizeOf('PACK_CHANGES');
const A_PAGE = 30;

/**
 * Returns a random event of a drafted pack. Not every sequence makes sense, but all ways of processing must
 * agree.
 */
function happening(random: Random, packId: string, n: number): PackEvent {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const at = new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
  const sampleId = `${packId}-${1 + Math.floor(random() * 5)}`;
  const words = {
    title: `Title ${n}`,
    bpm: 60 + (n % 100),
    key: one([null, 'C Minor']),
    instruments: one([[], ['Piano', 'Bass']]),
    isRoyaltyFree: random() < 0.5,
  };
  const file = {
    filename: `f${n}`,
    path: `p${n}`,
    sha256: 'c'.repeat(64),
    sizeBytes: n,
    contentType: 'audio/midi',
  };
  const claim = () => ({
    sampleId,
    sha256: one([someAudio.sha256, 'd'.repeat(64)]),
    because: { kind: one(['copy', 'complaint']), id: one(['1', '2']) },
    ...(random() < 0.5 ? { remarkId: `r${n}`, remarkSha256: 'e'.repeat(64) } : {}),
  });
  const fact = (type: PackEvent['type'], data: object) =>
    ({ type, data: { packId, at, ...data } }) as PackEvent;
  return one([
    () => sampleAdded({ packId, at, sampleId, title: `Added ${n}` }),
    () => sampleAdded({ packId, at, sampleId: `${packId}-${n}`, title: `Added "${n}"\\` }),
    () => fact('SampleDescribed', { sampleId, ...words }),
    () => fact('SamplePriceChanged', { sampleId, priceCredits: 1 + (n % 5) }),
    () =>
      fact('SampleAudioReplaced', {
        sampleId,
        ...someAudio,
        sha256: one([someAudio.sha256, 'd'.repeat(64)]),
        audioVersion: n,
        loudnessLufs: -n / 3,
        bitDepth: null,
      }),
    () => fact('SampleRemoved', { sampleId }),
    () => fact('SamplesReordered', { sampleIds: [3, 1, 2].map((index) => `${packId}-${index}`) }),
    () => fact('StemsAttached', { sampleId, ...file }),
    () => fact('MidiAttached', { sampleId, ...file }),
    () => fact('DefaultCostChanged', { priceCredits: 1 + (n % 5) }),
    () => fact('PackRenamed', { name: `Näme ${n}`, slug: `slug-${packId}-${n % 7}` }),
    () => fact('PackDescribed', { description: `about\n${n}` }),
    () => fact('PackClassified', { genre: 'Soul', mood: one(['Chill', 'Dark']) }),
    () => fact('PackCoverReplaced', { coverKey: `cover-${n}` }),
    () => published(packId, at),
    () => fact('PackUnpublished', {}),
    () => fact(one(['SampleHeld', 'SampleRefused', 'SampleTakenDown', 'SampleReleased']), claim()),
    () => fact(one(['SampleHeld', 'SampleRefused', 'SampleTakenDown', 'SampleReleased']), claim()),
    () => fact('PackTakenDown', { reason: `reason ${n}` }),
    () => fact('PackDeleted', {}),
  ])();
}

describe('packs and samples', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await startTestDatabase();
    await test.database.pool.query(`insert into creator_folder values ('ada', 'Ada_L')`);
  });
  afterAll(() => test.close());

  const rows = async (sql: string) => (await test.database.pool.query(sql)).rows;
  const after = async (pages: RecordedEvent[][]) => {
    await test.database.pool.query('truncate pack, sample, pack_slug');
    const projection: InlineProjection = ownPacks;
    for (const page of pages) await test.database.transaction((client) => projection.apply(client, page));
    return {
      packs: await rows('select * from pack order by pack_id'),
      samples: await rows('select * from sample order by sample_id'),
      slugs: await rows('select * from pack_slug order by slug'),
    };
  };

  it('[PUB-771] know a drawn cover, also by the events from before the mark', async () => {
    const record = recorder();
    const cover = (coverKey: string, mark?: { drawn: boolean }) => ({
      type: 'PackCoverReplaced' as const,
      data: { packId: 'p0', at: '2026-01-01T00:00:00.000Z', coverKey, ...mark },
    });
    const draft = () => drafted({ packId: 'p0', slug: 'slug', folder: 'p0' });
    const isOwn = async (...covers: ReturnType<typeof cover>[]) => {
      const { packs } = await after([record(`pack-p0`, draft(), ...covers)]);
      return packs[0].has_own_cover;
    };
    expect(await isOwn(cover('drawn'))).toBe(false);
    expect(await isOwn(cover('drawn'), cover('own'))).toBe(true);
    expect(await isOwn(cover('own', { drawn: false }))).toBe(true);
    expect(await isOwn(cover('own', { drawn: false }), cover('drawn', { drawn: true }))).toBe(false);
  });

  it(`[FIN-18] come out the same event by event, page by page and all at once (seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    const record = recorder();
    const packIds = Array.from({ length: 6 }, (_, n) => `p${n}`);
    const events = packIds.flatMap((packId) =>
      record(`pack-${packId}`, drafted({ packId, slug: `slug-${packId}`, folder: packId })),
    );
    for (let n = 1; n <= CHANGES; n += 1) {
      const packId = packIds[Math.floor(random() * packIds.length)] as string;
      events.push(...record(`pack-${packId}`, happening(random, packId, n)));
    }
    const singly = await after(events.map((event) => [event]));
    expect(singly.samples.length).toBeGreaterThan(0);
    expect(await after([events])).toEqual(singly);
    const pages = Array.from({ length: Math.ceil(events.length / A_PAGE) }, (_, n) =>
      events.slice(n * A_PAGE, (n + 1) * A_PAGE),
    );
    // Applies each page twice and everything once more: repetition changes nothing.
    expect(await after([...pages.flatMap((page) => [page, page]), events])).toEqual(singly);
  });

  it('[FIN-18] keep every former address, also of two renamings in one page', async () => {
    const record = recorder();
    const rename = (slug: string) => ({
      type: 'PackRenamed',
      data: { packId: 'p1', at: someAt, name: slug, slug },
    });
    const { slugs, packs } = await after([record('pack-p1', drafted(), rename('b'), rename('c'))]);
    expect(slugs.map(({ slug }) => slug)).toEqual(['b', 'c', 'dusty-keys']);
    expect(packs).toMatchObject([{ slug: 'c', version: 3 }]);
  });
});

const someAt = '2026-11-20T12:00:00.000Z';

it('puts events of many streams into few runs, each stream in its order', () => {
  const record = recorder();
  const fact = (type: string) => ({ type, data: {} });
  const streams = Array.from({ length: 50 }, (_, n) => `s-${n}`);
  const events = ['A', 'B', 'B', 'A', 'C'].flatMap((type) =>
    streams.flatMap((stream) => record(stream, fact(type))),
  );
  const runs = [...typeRuns(events)];
  expect(runs.map(({ type, events: all }) => `${type} ${all.length}`)).toEqual([
    'A 50',
    'B 100',
    'A 50',
    'C 50',
  ]);
  for (const stream of streams)
    expect(
      runs
        .flatMap((run) => run.events)
        .filter((event) => event.stream === stream)
        .map(({ version }) => version),
    ).toEqual([1, 2, 3, 4, 5]);
});
