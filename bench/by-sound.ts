/**
 * Measures whether a search by sound finds the same instrument in other kits, and copies of a sound.
 *
 *   npm run bench -- bench/by-sound.ts [--folder <where packages were unpacked>]… [--learn]
 *
 * The sounds are those of Debian's packages hydrogen-drumkits, hydrogen-data, lmms-common and sonic-pi-samples, installed or unpacked with `dpkg -x`; file names say what they are. Sounds of the kit of the
 * sought sound do not count. If fewer than ten others are of its instrument, as many of the nearest count.
 *
 * The dimensions of the product were learnt from all these sounds, so the goals are for dimensions that are learnt
 * here without the kits that are sought for. `--learn` prints the file with those of the product. Exits with 1 if a
 * goal is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { atSpeed } from '../adapters/vendors/audio/fingerprint/questions.js';
import { MonoTrack } from '../domain/catalogue/sound/mono-track.js';
import { SOUND_DIMENSIONS } from '../domain/catalogue/sound/facts.js';
import { featuresOf } from '../domain/catalogue/sound/features.js';
import { placeOf } from '../domain/catalogue/sound/metric.js';
import { seeded } from '../test/audio/synthesis.js';
import { labelledSounds } from './support/labelled-sounds.js';
import { learnt, metricFile, type Described, type Learnt } from './support/learn-metric.js';

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: ['/'] },
    learn: { type: 'boolean', default: false },
  },
});
const GOALS = { all: 0.75, label: 0.5, copies: 0.95 };
const FIRST = 10;
/** Labels with fewer sounds have no goal of their own. */
const MANY = 20;
/** Copies from which the dimensions learn, in semitones. Those that are sought lie between them. */
const LEARNT_SEMITONES = [-3, -1, 1, 3];
const SOUGHT = { '2 semitones higher': 2, '2 semitones lower': -2 };
const OTHER_RATE_HZ = 32_000;

interface Sound extends Described {
  name: string;
  seconds: number;
  /** The features of copies that are sought, by kind. */
  sought: Record<string, readonly number[]>;
}

let missed = 0;
const judge = (is: boolean, text: string): void => {
  if (!is) missed++;
  console.log(`${is ? 'ok    ' : 'MISSED'} ${text}`);
};
const work = mkdtempSync(join(tmpdir(), 'offcut-by-sound-'));
try {
  await run();
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function run(): Promise<void> {
  const sounds = await describedSounds();
  const metric = learnt(sounds, SOUND_DIMENSIONS);
  if (options.learn) return console.log(metricFile(metric));
  const kits = [...new Set(sounds.map(({ kit }) => kit))].sort();
  console.log(`${sounds.length} sounds of ${kits.length} kits\n`);
  const random = seeded(3);
  // Each kit is left out once.
  const places = new Map(
    kits.map((kit) => {
      const others = learnt(
        sounds.filter((sound) => sound.kit !== kit),
        SOUND_DIMENSIONS,
      );
      return [kit, sounds.map(({ values }) => placeIn(others, values))];
    }),
  );
  const product = sounds.map(({ values }) => placeOf(values));
  const ways: Record<string, (one: number, other: number) => number> = {
    'kits not learnt from': (one, other) => {
      const all = places.get((sounds[one] as Sound).kit) as number[][];
      return between(all[one] as number[], all[other] as number[]);
    },
    'as in the product': (one, other) => between(product[one] as number[], product[other] as number[]),
    // Without labels, all that these sounds have in common with others is their length.
    'by metadata': (one, other) =>
      Math.abs(Math.log((sounds[one] as Sound).seconds / (sounds[other] as Sound).seconds)),
    'at random': () => random(),
  };
  for (const [way, distance] of Object.entries(ways)) {
    const { all, byLabel } = precision(sounds, distance);
    const line = `precision@${FIRST} ${way}: ${all.toFixed(3)}`;
    const isJudged = way === 'kits not learnt from';
    if (isJudged) judge(all >= GOALS.all, line);
    else console.log(`       ${line}`);
    for (const [label, { mean, count }] of byLabel)
      if (isJudged && count >= MANY) judge(mean >= GOALS.label, `  ${label} ${mean.toFixed(2)} (${count})`);
      else console.log(`         ${label} ${mean.toFixed(2)} (${count})`);
  }
  copies(sounds, product);
}

async function describedSounds(): Promise<Sound[]> {
  let [spentMs, heardSeconds] = [0, 0];
  const featuresAt = (pcm: Float32Array, rateHz: number): number[] | undefined => {
    const track = new MonoTrack(rateHz);
    track.add(pcm);
    const from = performance.now();
    const features = featuresOf(track.finish());
    spentMs += performance.now() - from;
    heardSeconds += pcm.length / rateHz;
    return features?.values;
  };
  const sounds = (await labelledSounds(options.folder, work)).flatMap(
    ({ name, label, kit, recording }): Sound[] => {
      const { rateHz } = recording;
      const pcm = recording.channels[0] as Float32Array;
      const values = featuresAt(pcm, rateHz);
      const transposed = (semitones: number) => featuresAt(atSpeed(pcm, 2 ** (semitones / 12)), rateHz);
      const resampled = featuresAt(atSpeed(pcm, rateHz / OTHER_RATE_HZ), OTHER_RATE_HZ);
      if (!values) return [];
      const sought = Object.entries(SOUGHT).map(
        ([kind, semitones]) => [kind, transposed(semitones) ?? values] as const,
      );
      return [
        {
          name,
          label,
          kit,
          values,
          copies: [...LEARNT_SEMITONES.map(transposed), resampled].map((each) => each ?? values),
          sought: { ...Object.fromEntries(sought), 'resampled to 32 kHz': resampled ?? values },
          seconds: pcm.length / rateHz,
        },
      ];
    },
  );
  console.log(`${(spentMs / heardSeconds).toFixed(1)} ms for a second of sound`);
  return sounds;
}

function placeIn({ means, rows }: Learnt, values: readonly number[]): number[] {
  return rows.map((row) =>
    row.reduce((sum, each, at) => sum + each * ((values[at] as number) - (means[at] as number)), 0),
  );
}

function between(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + (value - (b[at] as number)) ** 2, 0);
}

function precision(sounds: readonly Sound[], distance: (one: number, other: number) => number) {
  const byLabel = new Map<string, number[]>();
  for (const [one, { label, kit }] of sounds.entries()) {
    const others = sounds.flatMap((other, at) =>
      other.kit === kit ? [] : { ...other, distance: distance(one, at) },
    );
    const count = Math.min(FIRST, others.filter((other) => other.label === label).length);
    if (count === 0) continue;
    const first = others.sort((a, b) => a.distance - b.distance).slice(0, count);
    const right = first.filter((other) => other.label === label).length / count;
    byLabel.set(label, [...(byLabel.get(label) ?? []), right]);
  }
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    all: mean([...byLabel.values()].flat()),
    byLabel: [...byLabel]
      .sort()
      .map(([label, each]) => [label, { mean: mean(each), count: each.length }] as const),
  };
}

/** Looks for the original of each copy among all sounds, those of the same kit too. */
function copies(sounds: readonly Sound[], places: readonly number[][]): void {
  for (const kind of Object.keys(sounds[0]?.sought ?? {})) {
    const found = sounds.filter(({ sought }, one) => {
      const copy = placeOf(sought[kind] as readonly number[]);
      const own = between(copy, places[one] as number[]);
      return places.filter((other) => between(copy, other) < own).length < 3;
    });
    const share = found.length / sounds.length;
    judge(share >= GOALS.copies, `original among the first three, ${kind}: ${share.toFixed(3)}`);
  }
}
