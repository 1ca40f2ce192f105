import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CatalogueIndex } from '../../adapters/platform/search/catalogue-index.js';
import { FACETS, countIn, lifted, noFacets } from '../../adapters/platform/search/labels.js';
import {
  byChange,
  byPopularity,
  type CatalogueRow,
  type Scope,
} from '../../adapters/platform/search/rows.js';
import { SegmentBuilder } from '../../adapters/platform/search/segment-builder.js';
import { searchWords } from '../../adapters/platform/search/search-words.js';
import type { Segment } from '../../adapters/platform/search/segment.js';
import { ORIGINS } from '../../domain/shared/origin.js';
import { changeOf, fitOf } from '../../domain/catalogue/fit.js';
import {
  EVERY_TRACK,
  passesFilter,
  type SoundRange,
  type TrackFilter,
} from '../../domain/catalogue/filter.js';
import { KINDS } from '../../domain/shared/kind.js';
import {
  BALANCES,
  COMPARED,
  DESCRIPTORS,
  factsOf,
  SOUND_FACTS,
  type Balance,
} from '../../domain/catalogue/sound/facts.js';
import { GENRES, INSTRUMENTS, KEYS, MOODS, SCALES } from '../../domain/catalogue/vocabulary.js';

const SAMPLES = 3_000;
const PACKS = 150;
const idOf = (n: number): string => `s${String(n).padStart(6, '0')}`;

const several = (labels: readonly string[], maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...labels), { maxLength });
const tempo = fc.oneof(fc.constantFrom(0, 1, 200, 201, 260), fc.integer({ min: 60, max: 180 }));
const bound = fc.oneof(fc.constantFrom(0, 1, 200), fc.integer({ min: 0, max: 200 }));

const randomProject = fc.record({
  tempo: fc.integer({ min: 40, max: 240 }),
  key: fc.option(fc.constantFrom(...KEYS), { nil: null }),
});

const facts = fc.record(
  {
    kind: fc.constantFrom(...KINDS),
    hasMidi: fc.boolean(),
    hasStems: fc.boolean(),
    maxCredits: fc.integer({ min: 1, max: 5 }),
    minMs: fc.integer({ min: 0, max: SAMPLES }),
    maxMs: fc.integer({ min: 100, max: SAMPLES }),
    fits: randomProject,
    sounds: fc.constantFrom<SoundRange[]>(
      [{ fact: 'punch', min: 20, max: 70 }],
      [
        { fact: 'brightness', min: 0, max: 50 },
        { fact: 'warmth', min: 30, max: 100 },
      ],
    ),
  },
  { requiredKeys: [] },
);

const randomFilter: fc.Arbitrary<TrackFilter> = fc
  .record({
    mode: fc.constantFrom('search' as const, 'collection' as const),
    tempos: fc.oneof(fc.constant([0, 200]), fc.tuple(bound, bound)),
    key: fc.option(fc.constantFrom(...KEYS, ...SCALES), { nil: undefined }),
    facts: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: facts }),
    moods: several(MOODS),
    genres: several(GENRES),
    instruments: several(INSTRUMENTS),
  })
  .map(({ tempos, facts, ...rest }) => ({
    ...rest,
    ...facts,
    bpmMin: Math.min(...tempos),
    bpmMax: Math.max(...tempos),
  }));
const randomScope = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ genre: fc.constantFrom(...GENRES) }) },
  { weight: 1, arbitrary: fc.record({ creatorId: fc.constantFrom('c1', 'c2') }) },
  {
    weight: 1,
    arbitrary: fc.boolean().map((isWanted) => ({ owned: { viewerId: 'v', isWanted, idsByPack: OWNED } })),
  },
);
/** Each third sample of three packs. */
const OWNED = new Map(
  [3, 4, 9].map((pack) => [
    `p${pack}`,
    new Set(Array.from({ length: SAMPLES / PACKS / 3 }, (_, at) => idOf(pack + at * 3 * PACKS))),
  ]),
);

/** Groups of sounds that are near each other. */
const descriptorsFor = (n: number): Int8Array =>
  Int8Array.from({ length: DESCRIPTORS }, (_, at) =>
    at < COMPARED ? (((n % 17) * (at + 3)) % 90) + ((n * (at + 7)) % 23) : (n * (at - 20)) % 101,
  );

/** Creates samples; those of a pack share its genre, mood and creator. */
const catalogue = (seed: number, instruments: readonly string[]): CatalogueRow[] => {
  const facts = fc.sample(
    fc.record({
      bpm: tempo,
      key: fc.option(fc.constantFrom(...KEYS), { nil: null }),
      instruments: several(instruments),
      popularity: fc.nat(50),
    }),
    { seed, numRuns: SAMPLES },
  );
  const faces = fc.sample(fc.record({ genre: fc.constantFrom(...GENRES), mood: fc.constantFrom(...MOODS) }), {
    seed: seed + 1,
    numRuns: PACKS,
  });
  return facts
    .map((fact, n) => {
      const pack = n % PACKS;
      const sound = n % 13 === 0 ? undefined : { id: n, descriptors: descriptorsFor(n) };
      return {
        ...fact,
        sound,
        soundFacts: sound && factsOf(sound.descriptors),
        ...(faces[pack] as { genre: string; mood: string }),
        sampleId: idOf(n),
        packId: `p${pack}`,
        creatorId: `c${pack % 40}`,
        titleLower: 'a title',
        packLower: 'a pack',
        publishedAtMs: n,
        durationMs: 100 + n,
        kind: KINDS[n % 4] ?? 'loop',
        creditCost: 1 + (n % 5),
        origin: n % 3 === 0 ? null : (ORIGINS[n % 5] ?? null),
        hasStems: n % 2 === 0,
        hasMidi: n % 5 === 0,
        card: {
          title: `A Title ${n}`,
          packTitle: 'A Pack',
          packSlug: `a-pack-${pack}`,
          artworkUrl: n % 3 === 0 ? null : `/media/covers/${pack}.webp`,
          isRoyaltyFree: n % 7 !== 0,
          previewUrl: n % 11 === 0 ? null : `/media/previews/${n}.mp3`,
          waveform: Array.from({ length: 50 }, (_, bar) => (n * bar) % 101),
        },
      };
    })
    .sort(byPopularity);
};

async function segmentOf(rows: readonly CatalogueRow[]): Promise<Segment> {
  const builder = new SegmentBuilder(rows.length);
  for (const row of rows) builder.add(row);
  return builder.finish();
}

const inScope = (row: CatalogueRow, { creatorId, genre, owned }: Scope): boolean =>
  (!owned || owned.isWanted === (owned.idsByPack.get(row.packId)?.has(row.sampleId) === true)) &&
  (creatorId === undefined || row.creatorId === creatorId) &&
  (genre === undefined || row.genre === genre);

/** Counts one sample after the other. */
function naiveCounts(rows: readonly CatalogueRow[], filter: TrackFilter, scope: Scope) {
  const facets = noFacets();
  for (const facet of FACETS)
    for (const row of rows)
      if (inScope(row, scope) && passesFilter(row, lifted(filter, facet))) countIn(facets[facet], facet, row);
  return { total: rows.filter((row) => inScope(row, scope) && passesFilter(row, filter)).length, facets };
}

/** Checks every answer against a scan of all samples. */
function expectNaiveAnswers(index: CatalogueIndex, rows: readonly CatalogueRow[], seed: number): void {
  const ordered = [...rows].sort(byPopularity);
  fc.assert(
    fc.property(
      randomFilter,
      randomScope,
      randomProject,
      fc.nat(rows.length - 1),
      (filter, scope, project, from) => {
        expect(index.counts(filter, scope)).toEqual(naiveCounts(rows, filter, scope));
        const passing = ordered.filter((row) => inScope(row, scope) && passesFilter(row, filter));
        const ids = (some: readonly { sampleId: string }[]) => some.map(({ sampleId }) => sampleId);
        expect(ids(index.browse(filter, scope, 20))).toEqual(ids(passing.slice(0, 20)));
        const after = ordered[from] as CatalogueRow;
        expect(ids(index.browse(filter, scope, 20, after))).toEqual(
          ids(passing.filter((row) => byPopularity(after, row) < 0).slice(0, 20)),
        );
        const changed = (row: CatalogueRow) => ({ ...row, change: changeOf(fitOf(row, project)) });
        const asked = { filter, scope, project };
        const byFit = passing.map(changed).sort(byChange);
        expect(ids(index.leastChanged(asked, 20))).toEqual(ids(byFit.slice(0, 20)));
        expect(ids(index.leastChanged(asked, 20, changed(after)))).toEqual(
          ids(byFit.filter((row) => byChange(changed(after), row) < 0).slice(0, 20)),
        );
      },
    ),
    { seed, numRuns: 150 },
  );
}

let rows: CatalogueRow[];
let segment: Segment;
beforeAll(async () => {
  rows = catalogue(1, INSTRUMENTS);
  segment = await segmentOf(rows);
  expect(segment.tallies).toBeDefined();
});

it('[FLT-07] [FLT-08] [SRCH-710] totals, options and order are those of going through the samples one by one', () => {
  expectNaiveAnswers(new CatalogueIndex(segment, 1), rows, 3);
});

it('[FLT-07] [SRCH-710] so they are after packs changed, left and came, and samples were downloaded', () => {
  const index = new CatalogueIndex(segment, 1);
  const fresh = catalogue(5, INSTRUMENTS);
  const changed = ['p3', 'p4', 'p5', 'p149'];
  const now = [
    ...rows.filter(({ packId }) => !changed.includes(packId)),
    // The packs p5 and p149 are gone.
    ...fresh.filter(({ packId }) => ['p3', 'p4'].includes(packId)),
    ...fresh.slice(0, 30).map((row) => ({ ...row, packId: 'new', sampleId: `new-${row.sampleId}` })),
  ];
  const replaced = [...changed, 'new'];
  for (const _ of ['once', 'and again'])
    index.replacePacks(
      replaced,
      now.filter(({ packId }) => replaced.includes(packId)).map((row) => ({ ...row })),
    );
  const downloaded = now
    .filter((_, n) => n % 40 === 0)
    .map((row) => ({ ...row, popularity: row.popularity + 7 }));
  index.rank(downloaded);
  const byId = new Map(downloaded.map((row) => [row.sampleId, row]));
  expectNaiveAnswers(
    index,
    now.map((row) => byId.get(row.sampleId) ?? row),
    4,
  );
});

it('[FLT-07] a segment has room for every instrument there is, and refuses more than it can tell apart', async () => {
  expect(INSTRUMENTS.length).toBeLessThanOrEqual(32);
  const others = ['Kazoo', 'Zither', 'Ocarina', 'Theremin'];
  await expect(segmentOf(catalogue(7, [...INSTRUMENTS, ...others]))).rejects.toThrow(
    'more than 32 instruments',
  );
});

/** Compares one sample after the other. */
function naiveAlike(
  rows: readonly CatalogueRow[],
  { descriptors, balance, limit }: { descriptors: Int8Array; balance: Balance; limit: number },
): number[] {
  const distances = rows.flatMap(({ sound, creatorId }) => {
    if (!sound) return [];
    const weights = { timbre: [1, 0, 0], rhythm: [1, 64, 0], pitch: [1, 0, 64] }[balance];
    const distance = Array.from(
      { length: COMPARED },
      (_, at) =>
        (weights[at < 32 ? 0 : at < 36 ? 1 : 2] ?? 0) *
        ((sound.descriptors[at] ?? 0) - (descriptors[at] ?? 0)) ** 2,
    ).reduce((sum, each) => sum + each, 0);
    return [{ creatorId, distance }];
  });
  const counts = new Map<string, number>();
  return distances
    .sort((a, b) => a.distance - b.distance)
    .filter(({ creatorId }) => counts.set(creatorId, (counts.get(creatorId) ?? 0) + 1).get(creatorId)! <= 2)
    .slice(0, limit)
    .map(({ distance }) => distance);
}

it('[EAR-705] the nearest sounds are those of comparing all that pass, two of one creator at most', () => {
  const index = new CatalogueIndex(segment, 1);
  const changed = rows
    .filter(({ packId }) => packId === 'p8')
    .map((row, n) => ({ ...row, sound: rows[n]?.sound }));
  index.replacePacks(['p8', 'p9'], changed);
  const now = [...rows.filter(({ packId }) => packId !== 'p8' && packId !== 'p9'), ...changed];
  fc.assert(
    fc.property(randomFilter, fc.nat(2_000), fc.constantFrom(...BALANCES), (filter, n, balance) => {
      const descriptors = descriptorsFor(n);
      const passing = now.filter((row) => passesFilter(row, filter));
      const query = { descriptors, balance, limit: 10 };
      const found = index.alike(query, filter, {});
      expect(found.map(({ distance }) => distance)).toEqual(naiveAlike(passing, query));
      const ids = new Set(passing.map(({ sampleId }) => sampleId));
      for (const { sampleId, card } of found) {
        expect(ids).toContain(sampleId);
        expect(found.filter((other) => other.card().creatorId === card().creatorId).length).toBeLessThan(3);
      }
    }),
    { seed: 6, numRuns: 100 },
  );
});

it('[EAR-705] of one creator all sounds are compared; further answers follow the first ten', () => {
  const index = new CatalogueIndex(segment, 1);
  const query = { descriptors: descriptorsFor(40), balance: 'timbre' as const };
  const own = index.alike({ ...query, limit: 10 }, EVERY_TRACK, { creatorId: 'c1' });
  expect(own.map(({ card }) => card().creatorId)).toEqual(Array.from({ length: 10 }, () => 'c1'));
  const many = index.alike({ ...query, limit: 30 }, EVERY_TRACK, {});
  expect(many).toHaveLength(30);
  expect(new Set(many.map(({ sampleId }) => sampleId)).size).toBe(30);
  const [first] = many;
  const without = index.alike({ ...query, limit: 30, except: first?.sampleId }, EVERY_TRACK, {});
  expect(without.map(({ sampleId }) => sampleId)).not.toContain(first?.sampleId);
});

it('[EAR-711] histograms count, for each fact, the samples that pass all other filters', () => {
  const index = new CatalogueIndex(segment, 1);
  index.replacePacks(['p9'], []);
  const now = rows.filter(({ packId }) => packId !== 'p9');
  fc.assert(
    fc.property(randomFilter, (filter) => {
      const histograms = index.soundHistograms(filter, {});
      for (const fact of SOUND_FACTS) {
        const bars = Array.from({ length: 20 }, () => 0);
        const sounds = (filter.sounds ?? []).filter((range) => range.fact !== fact);
        for (const row of now.filter((each) => passesFilter(each, { ...filter, sounds })))
          if (row.sound) {
            const bar = Math.min(19, Math.floor(factsOf(row.sound.descriptors)[fact] / 5));
            bars[bar] = (bars[bar] ?? 0) + 1;
          }
        expect(histograms[fact]).toEqual(bars);
      }
    }),
    { seed: 7, numRuns: 50 },
  );
});

it('[EAR-705] a text restricts the sounds', () => {
  const index = new CatalogueIndex(segment, 1);
  const word = rows[3]?.titleLower ?? '';
  const found = index.alike(
    {
      descriptors: descriptorsFor(40),
      balance: 'timbre',
      limit: 10,
      matches: index.matching(
        word,
        searchWords(word).map((each) => ({ ...each, creatorIds: [] })),
      ),
    },
    EVERY_TRACK,
    {},
  );
  const named = new Set(
    rows.filter(({ titleLower }) => titleLower.includes(word)).map(({ sampleId }) => sampleId),
  );
  expect(found.length).toBeGreaterThan(0);
  for (const { sampleId } of found) expect(named).toContain(sampleId);
});
