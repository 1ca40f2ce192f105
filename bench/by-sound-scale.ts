/**
 * Measures searches by sound among a million samples: 20 at once, with and without filters; how many of the ten
 * nearest are found, and how much memory the sounds take.
 *
 *   npm run bench -- bench/by-sound-scale.ts [samples, by default 1000000]
 *
 * Exits with 1 if a goal is missed.
 */
import { CatalogueIndex } from '../adapters/platform/search/catalogue-index.js';
import { distanceTo } from '../adapters/platform/search/sound-clusters.js';
import { SegmentBuilder } from '../adapters/platform/search/segment-builder.js';
import { EVERY_TRACK, type TrackFilter } from '../domain/catalogue/filter.js';
import { COMPARED, DESCRIPTORS } from '../domain/catalogue/sound/facts.js';
import { GENRES, INSTRUMENTS, KEYS, MOODS } from '../domain/catalogue/vocabulary.js';
import { seeded } from '../test/audio/synthesis.js';

const SAMPLES = Number(process.argv[2] ?? 1_000_000);
const GOALS = { p50Ms: 20, p99Ms: 60, recall: 0.95 };
const AT_ONCE = 20;
const SEARCHES = 2_000;
const OF_PACK = 40;
const KINDS_OF_SOUND = 3_000;

const random = seeded(1);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const kinds = Array.from({ length: KINDS_OF_SOUND }, () => {
  // Few dimensions separate most sounds.
  return Float32Array.from({ length: COMPARED }, (_, at) => (normal() * 60) / (1 + (at % 32) / 4));
});
const descriptors = (): Int8Array => {
  const kind = pick(kinds);
  return Int8Array.from({ length: DESCRIPTORS }, (_, at) =>
    at < COMPARED
      ? Math.max(-127, Math.min(127, (kind[at] as number) + normal() * 8))
      : Math.floor(random() * 101),
  );
};

const builder = new SegmentBuilder(SAMPLES);
for (let n = 0; n < SAMPLES; n++) {
  const pack = Math.floor(n / OF_PACK);
  builder.add({
    sampleId: `sample-${n}`,
    packId: `pack-${pack}`,
    creatorId: `creator-${pack % 5_000}`,
    titleLower: `sound ${n % 5_000}`,
    packLower: `pack ${pack}`,
    genre: pick(GENRES),
    mood: pick(MOODS),
    key: random() < 0.5 ? pick(KEYS) : null,
    bpm: Math.floor(random() * 200),
    durationMs: Math.floor(random() * 10_000),
    kind: random() < 0.5 ? 'loop' : 'one-shot',
    hasMidi: random() < 0.1,
    hasStems: random() < 0.1,
    origin: 'recorded',
    creditCost: 1,
    instruments: [pick(INSTRUMENTS)],
    popularity: SAMPLES - n,
    publishedAtMs: n,
    sound: { id: n, descriptors: descriptors() },
    card: {
      title: `Sound ${n}`,
      packTitle: `Pack ${pack}`,
      packSlug: `pack-${pack}`,
      artworkUrl: null,
      isRoyaltyFree: true,
      previewUrl: null,
      waveform: [],
    },
  });
}
const builtAt = performance.now();
const segment = await builder.finish();
const { sounds } = segment;
const megabytes =
  (sounds.vectors.length +
    sounds.centres.length +
    4 * (sounds.numbers.length + sounds.places.length) +
    segment.soundFacts.length) /
  1e6;
console.log(
  `${SAMPLES} samples in ${sounds.starts.length - 1} clusters; the index was finished in ${((performance.now() - builtAt) / 1_000).toFixed(1)} s; the sounds take ${megabytes.toFixed(0)} MB`,
);

const index = new CatalogueIndex(segment, 0);
const query = (sound: Int8Array) => ({ descriptors: sound, balance: 'timbre' as const, limit: 10 });
const filters: Record<string, () => TrackFilter> = {
  'no filter': () => EVERY_TRACK,
  'an instrument': () => ({ ...EVERY_TRACK, instruments: [pick(INSTRUMENTS)] }),
  'a genre, a key and a tempo': () => {
    const bpmMin = Math.floor(random() * 180);
    return { ...EVERY_TRACK, genres: [pick(GENRES)], key: pick(KEYS), bpmMin, bpmMax: bpmMin + 20 };
  },
  'a kind and a slider': () => {
    const min = Math.floor(random() * 60);
    return { ...EVERY_TRACK, kind: 'loop', sounds: [{ fact: 'punch', min, max: min + 40 }] };
  },
};

let missed = 0;
const judge = (is: boolean, text: string): void => {
  if (!is) missed++;
  console.log(`${is ? 'ok    ' : 'MISSED'} ${text}`);
};
for (const [name, filterFor] of Object.entries(filters)) {
  for (let n = 0; n < 50; n++) index.alike(query(descriptors()), filterFor(), {});
  const times: number[] = [];
  // Twenty clients, each of which asks again as soon as it has an answer. One thread answers them in turn.
  const client = async (): Promise<void> => {
    for (let n = 0; n < SEARCHES / AT_ONCE; n++) {
      const [sound, filter] = [descriptors(), filterFor()];
      const from = performance.now();
      await new Promise(setImmediate);
      index.alike(query(sound), filter, {});
      times.push(performance.now() - from);
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)] as number) as [
    number,
    number,
  ];
  judge(
    p50 <= GOALS.p50Ms && p99 <= GOALS.p99Ms,
    `${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${((user + system) / 1_000 / SEARCHES).toFixed(2)} ms of a core each`,
  );
}

let found = 0;
const ASKED = 20;
for (let n = 0; n < ASKED; n++) {
  const sound = descriptors();
  const all = Float64Array.from({ length: SAMPLES }, (_, place) =>
    distanceTo(sound, 'timbre', sounds.vectors, place * COMPARED),
  );
  const tenth = all.sort()[9] as number;
  const near = index.alike(query(sound), EVERY_TRACK, {});
  // Two of one creator at most, so that one of the ten may be another.
  found += Math.min(10, near.filter(({ distance }) => distance <= tenth).length);
}
judge(
  found / ASKED / 10 >= GOALS.recall,
  `of the ten nearest ${((found / ASKED) * 10).toFixed(1)} % are found`,
);
process.exitCode = missed > 0 ? 1 : 0;
