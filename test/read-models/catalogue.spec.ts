import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../application/shared/event-store.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { creatorStatus } from '../../adapters/publishing/creator-status.js';
import { ownPacks } from '../../adapters/publishing/own-packs.js';
import type { Projection } from '../../adapters/platform/projections/projection.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { drafted, published, recorder, sampleAdded, someAudio } from '../support/pack-events.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const at = '2026-11-20T12:00:00.000Z';
let test: TestDatabase;
let record: ReturnType<typeof recorder>;

beforeAll(async () => {
  test = await startTestDatabase();
});
afterAll(async () => test.close());
beforeEach(async () => {
  record = recorder();
  await test.database.pool.query(
    `truncate pack, sample, pack_slug, creator_standing, creator_folder, catalogue_sample, download_count, download_hour`,
  );
  await test.database.pool.query(`insert into creator_folder values ('ada', 'Ada_L')`);
});

async function apply(projection: Projection, events: RecordedEvent[]): Promise<void> {
  const relevant = events.filter((event) => projection.types.includes(event.type));
  await test.database.transaction((client) => projection.apply(client, relevant));
}
const rows = async (sql: string): Promise<Array<Record<string, unknown>>> =>
  (await test.database.pool.query<Record<string, unknown>>(sql)).rows;

/** Applies each event twice to both pack projections, and the whole list once more. @returns the rows */
async function given(...facts: Array<{ type: string; data: object }>) {
  const events = facts.flatMap((fact) => {
    const { packId } = fact.data as { packId?: string };
    return record(`pack-${packId}`, fact);
  });
  for (const event of events) for (const _ of 'ab') await apply(ownPacks, [event]);
  await apply(catalogueSearch, events);
  const once = await everything();
  await apply(ownPacks, events);
  await apply(catalogueSearch, events);
  expect(await everything()).toEqual(once);
  return once;
}

const everything = async () => ({
  packs: await rows('select * from pack order by pack_id'),
  samples: await rows('select * from sample order by ordinal, sample_id'),
  slugs: await rows('select slug, pack_id from pack_slug order by slug'),
  found: await rows('select * from catalogue_sample order by sample_id'),
  downloads: await rows('select kind, id, downloads from download_count order by kind, id'),
  hours: await rows('select sample_id, pack_id, hour, downloads from download_hour order by sample_id, hour'),
});

const fact = (type: PackEvent['type'], data: object) => ({ type, data: { packId: 'p1', at, ...data } });
const two = [
  drafted(),
  sampleAdded(),
  sampleAdded({ sampleId: 's2', title: 'Tape Hiss', bpm: 0, key: null }),
];

describe('the creator’s packs', () => {
  it('hold a draft with nothing for others to find', async () => {
    const { packs, samples, found, slugs } = await given(drafted());
    expect(packs).toMatchObject([
      {
        pack_id: 'p1',
        creator_id: 'ada',
        title: 'Dusty Keys',
        title_lower: 'dusty keys',
        slug: 'dusty-keys',
        status: 'draft',
        default_cost_credits: 1,
        sample_count: 0,
        published_at: null,
        version: 1,
        cover_key: null,
      },
    ]);
    expect([samples, found, slugs]).toEqual([[], [], [{ slug: 'dusty-keys', pack_id: 'p1' }]]);
  });

  it('[SMOD-08] hold every fact about a sample’s audio, not on sale in a draft', async () => {
    const { packs, samples } = await given(...two);
    expect(packs).toMatchObject([{ sample_count: 2, version: 3 }]);
    expect(samples).toMatchObject([
      {
        sample_id: 's1',
        ordinal: 1,
        price_credits: 1,
        available: false,
        removed: false,
        audio_version: 1,
        original_key: 'Users/Ada_L/Packs/dusty-keys/samples/1_a.wav',
        original_sha256: someAudio.sha256,
        original_bytes: 1_000,
        original_filename: 'Keys_90bpm_Cmin.wav',
        content_type: 'audio/wav',
        waveform: someAudio.waveform,
        waveform_fine: someAudio.waveformFine,
        loudness_lufs: -14.5,
        suggestions: someAudio.suggestions,
        instruments: ['Piano'],
        has_stems: false,
        has_midi: false,
      },
      { sample_id: 's2', ordinal: 2 },
    ]);
  });

  it('follow a new name, keeping the former address', async () => {
    const { packs, slugs } = await given(
      drafted(),
      fact('PackRenamed', { name: 'Dust ÉÉ', slug: 'dust-ee' }),
    );
    expect(packs).toMatchObject([
      { title: 'Dust ÉÉ', title_lower: 'dust éé', slug: 'dust-ee', folder: 'dusty-keys' },
    ]);
    expect(slugs).toEqual([
      { slug: 'dust-ee', pack_id: 'p1' },
      { slug: 'dusty-keys', pack_id: 'p1' },
    ]);
  });

  it('follow description, genre, mood, cover and default cost', async () => {
    const { packs } = await given(
      drafted(),
      fact('PackDescribed', { description: 'Fresh felt' }),
      fact('PackClassified', { genre: 'Trap', mood: 'Dark' }),
      fact('PackCoverReplaced', { coverKey: 'media/covers/c.webp' }),
      fact('DefaultCostChanged', { priceCredits: 4 }),
    );
    expect(packs).toMatchObject([
      {
        description: 'Fresh felt',
        genre: 'Trap',
        mood: 'Dark',
        cover_key: 'media/covers/c.webp',
        default_cost_credits: 4,
        version: 5,
      },
    ]);
  });

  it('follow a sample’s words, price, audio, stems and MIDI', async () => {
    const attachment = {
      filename: 'x.mid',
      path: 'Packs/d/x.mid',
      sha256: 'c',
      sizeBytes: 3,
      contentType: 'audio/midi',
    };
    const { samples } = await given(
      ...two,
      fact('SampleDescribed', {
        sampleId: 's1',
        title: 'Soft Keys',
        bpm: 80,
        key: 'Db Major',
        instruments: ['Rhodes'],
        isRoyaltyFree: false,
      }),
      fact('SamplePriceChanged', { sampleId: 's1', priceCredits: 5 }),
      fact('SampleAudioReplaced', {
        sampleId: 's1',
        ...someAudio,
        audioVersion: 2,
        sha256: 'd'.repeat(64),
        originalPath: 'Packs/dusty-keys/samples/2_b.wav',
      }),
      fact('StemsAttached', { sampleId: 's1', ...attachment }),
      fact('MidiAttached', { sampleId: 's2', ...attachment }),
    );
    expect(samples).toMatchObject([
      {
        title: 'Soft Keys',
        title_lower: 'soft keys',
        bpm: 80,
        key: 'Db Major',
        instruments: ['Rhodes'],
        is_royalty_free: false,
        price_credits: 5,
        audio_version: 2,
        original_sha256: 'd'.repeat(64),
        has_stems: true,
        has_midi: false,
        stems: attachment,
        original_key: 'Users/Ada_L/Packs/dusty-keys/samples/2_b.wav',
      },
      { has_stems: false, has_midi: true, midi: attachment },
    ]);
  });

  it('keep the order given, and the file of a removed sample', async () => {
    const { packs, samples, found } = await given(
      ...two,
      published(),
      fact('SamplesReordered', { sampleIds: ['s2', 's1'] }),
      fact('SampleRemoved', { sampleId: 's1' }),
    );
    expect(samples).toMatchObject([
      { sample_id: 's2', ordinal: 1, available: true, removed: false },
      { sample_id: 's1', ordinal: 2, available: false, removed: true, taken_down: false },
    ]);
    expect(packs).toMatchObject([{ sample_count: 1 }]);
    expect(found).toMatchObject([{ sample_id: 's2' }]);
  });
});

describe('[PUB-05] what others find', () => {
  it('is the samples of published packs, with words to find them by', async () => {
    const { packs, samples, found } = await given(...two, published());
    expect(packs).toMatchObject([{ status: 'published', published_at: new Date(at) }]);
    expect(samples).toMatchObject([{ available: true }, { available: true }]);
    expect(found).toMatchObject([
      {
        sample_id: 's1',
        pack_id: 'p1',
        creator_id: 'ada',
        title_lower: 'felt keys',
        genre: 'Lofi',
        mood: 'Chill',
        key: 'C Minor',
        bpm: 90,
        instruments: ['Piano'],
        popularity: 0,
        text_lower: 'dusty keys\nlofi\nchill\npiano',
        published_at: new Date(at),
      },
      { sample_id: 's2', key: null, bpm: 0 },
    ]);
  });

  it('grows with a sample added to a published pack, and follows its new words', async () => {
    const { found } = await given(
      drafted(),
      sampleAdded(),
      published(),
      sampleAdded({ sampleId: 's3', title: 'Late' }),
      fact('PackClassified', { genre: 'Trap', mood: 'Dark' }),
    );
    expect(found).toMatchObject([{ genre: 'Trap' }, { sample_id: 's3', title_lower: 'late', mood: 'Dark' }]);
  });

  it.each([
    ['PackUnpublished', 'unpublished', false],
    ['PackDeleted', 'deleted', false],
    ['PackTakenDown', 'taken_down', true],
  ] as const)('is empty after %s', async (type, status, takenDown) => {
    const { packs, samples, found } = await given(...two, published(), fact(type, { reason: 'theft' }));
    expect(found).toEqual([]);
    expect(packs).toMatchObject([{ status, takedown_reason: takenDown ? 'theft' : null }]);
    expect(samples).toMatchObject([1, 2].map(() => ({ available: false, taken_down: takenDown })));
  });

  it('is back after publishing again, removed samples not', async () => {
    const { samples, found } = await given(
      ...two,
      published(),
      fact('SampleRemoved', { sampleId: 's2' }),
      fact('PackUnpublished', {}),
      published('p1', '2026-12-01T00:00:00.000Z'),
    );
    expect(samples).toMatchObject([{ available: true }, { available: false, removed: true }]);
    expect(found).toMatchObject([{ sample_id: 's1', published_at: new Date('2026-12-01T00:00:00.000Z') }]);
  });

  it('counts each download once, for the sample, its pack and its creator', async () => {
    const bought = (sampleId: string) => ({
      type: 'SamplePurchased',
      data: { purchaseId: 'x', buyerId: 'bob', sampleId, packId: 'p1', creatorId: 'ada', priceCredits: 1 },
    });
    const { found, downloads } = await given(...two, published(), bought('s1'), bought('s1'), bought('s2'));
    expect(found).toMatchObject([{ popularity: 2 }, { popularity: 1 }]);
    expect(downloads).toEqual([
      { kind: 'creator', id: 'ada', downloads: 3 },
      { kind: 'pack', id: 'p1', downloads: 3 },
      { kind: 'sample', id: 's1', downloads: 2 },
      { kind: 'sample', id: 's2', downloads: 1 },
    ]);
  });
});

describe('[ACC-03] a creator’s status', () => {
  it.each([
    [['CreatorApplied'], 'applied'],
    [['CreatorApplied', 'CreatorApproved'], 'approved'],
    [['CreatorApplied', 'CreatorDeclined'], 'declined'],
    [['CreatorApplied', 'CreatorApproved', 'CreatorSuspended'], 'suspended'],
    [['CreatorApplied', 'CreatorApproved', 'CreatorSuspended', 'CreatorReinstated'], 'approved'],
  ])('after %j is %s', async (types, status) => {
    const reason = { CreatorDeclined: 'thin', CreatorSuspended: 'theft' } as Record<string, string>;
    const events = record(
      'creator-ada',
      ...types.map((type) => ({
        type,
        data: { userId: 'ada', at, ...(reason[type] ? { reason: reason[type] } : {}) },
      })),
    );
    for (const event of events) await apply(creatorStatus, [event, event]);
    expect(await rows('select user_id, status, reason, applied_at from creator_standing')).toEqual([
      { user_id: 'ada', status, reason: reason[types.at(-1) as string] ?? null, applied_at: new Date(at) },
    ]);
  });
});
