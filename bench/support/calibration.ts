import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withAudio } from '../../adapters/vendors/audio/open-audio.js';
import * as key from '../../adapters/vendors/audio/key.js';
import * as tempo from '../../adapters/vendors/audio/tempo.js';
import type { Candidate, Weights } from '../../adapters/vendors/audio/chances.js';
import { enharmonicKeys, type MusicalKey } from '../../domain/catalogue/vocabulary.js';
import { ANALYSIS_RATE_HZ, mixToMono, MonoTrack } from '../../domain/catalogue/sound/mono-track.js';
import { usualTempo } from '../../domain/publishing/usual-tempo.js';
import { AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MS } from '../../application/publishing/values.js';
import { DEMO_PACKS, labelsOf, planOf } from '../../demo/catalogue.js';
import { makeSound } from '../../demo/make.js';
import { RATE } from '../../demo/synth/stereo.js';

/** A sound whose tempo and key are known. Null means that it has none, undefined that it is unknown. */
export interface Labelled {
  /** Sounds of one source are either all used to fit, or all held back. */
  group: string;
  bpm: number | null | undefined;
  key: string | null | undefined;
  usualBpm: number | undefined;
  mono: Float32Array;
  mayLoop: boolean;
}

type Detector = Pick<Before, 'suggestKey'> & {
  suggestTempo: (sound: Labelled) => { bpm: number; confidence: number } | null;
};
interface Before {
  suggestTempo(mono: Float32Array, mayLoop: boolean): { bpm: number; confidence: number } | null;
  suggestKey(mono: Float32Array): { key: string; confidence: number } | null;
}

/** Whether a source is held back: decided by its name, so that new sources do not move the others. */
export const isHeldBack = (group: string): boolean =>
  [...group].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0,
    2_166_136_261,
  ) %
    8 >=
  4;

export function* demoSounds(): Generator<Labelled> {
  for (const pack of DEMO_PACKS)
    for (const sample of pack.samples) {
      const { left, right } = makeSound(planOf(pack, sample)).pcm;
      const track = new MonoTrack(RATE);
      track.add(mixToMono([left, right]));
      const labels = labelsOf(pack, sample);
      yield {
        group: pack.name,
        bpm: labels.bpm || null,
        key: labels.key,
        usualBpm: usualTempo(sample.name, pack.genre),
        mono: track.finish(),
        mayLoop: left.length <= 60 * RATE,
      };
    }
}

/** Reads the sounds of `labels.csv`: path, group, tempo and key, each empty for none or `?` for unknown. */
export async function* soundsOf(list: string): AsyncGenerator<Labelled> {
  const limits = { bytes: AUDIO_LIMIT_BYTES, durationMs: AUDIO_LIMIT_MS };
  for (const line of readFileSync(list, 'utf8').split('\n').filter(Boolean)) {
    const [path = '', group = '', bpm = '', label = ''] = line.split(',');
    const known = (text: string) => (text === '?' ? undefined : text || null);
    try {
      const heard = await withAudio(join(dirname(list), path), limits, async (source) => {
        const track = new MonoTrack(source.sampleRateHz);
        let frames = 0;
        for await (const block of source.blocks()) {
          frames += block[0]?.length ?? 0;
          track.add(mixToMono(block));
        }
        const mono = track.finish();
        const isWhole = Math.abs(mono.length / ANALYSIS_RATE_HZ - frames / source.sampleRateHz) < 0.01;
        return { mono, mayLoop: isWhole && source.hasExactLength };
      });
      const tempoLabel = known(bpm);
      yield {
        group,
        bpm: typeof tempoLabel === 'string' ? Number(tempoLabel) : tempoLabel,
        key: known(label),
        usualBpm: usualTempo(group, ''),
        ...heard,
      };
    } catch (error) {
      console.log(`${path}: ${String(error)}`);
    }
  }
}

export const NOW: Detector = {
  suggestTempo: ({ mono, mayLoop, usualBpm }) => tempo.suggestTempo(mono, { mayLoop, usualBpm }),
  suggestKey: key.suggestKey,
};

/** Returns the detectors of another checkout of this repository, from before they took options. */
export async function detectorOf(checkout: string): Promise<Detector> {
  const load = async (file: string) =>
    (await import(pathToFileURL(join(checkout, 'adapters/vendors/audio', file)).href)) as Before;
  const [{ suggestTempo }, { suggestKey }] = [await load('tempo.ts'), await load('key.ts')];
  return { suggestTempo: ({ mono, mayLoop }) => suggestTempo(mono, mayLoop), suggestKey };
}

const isSameTempo = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(1, 0.02 * b);
const isSameKey = (a: string, b: string): boolean =>
  enharmonicKeys(a as MusicalKey).includes(b as MusicalKey);

/** What was suggested for one sound, and whether it is exactly right. */
interface Judged {
  confidence: number;
  isRight: boolean;
}

export class Calibration {
  readonly tempo: Judged[] = [];
  readonly key: Judged[] = [];
  tempoMs = 0;
  keyMs = 0;

  constructor(private readonly detector: Detector) {}

  add(sound: Labelled): void {
    const startedAt = performance.now();
    const foundTempo = this.detector.suggestTempo(sound);
    const tempoAt = performance.now();
    const foundKey = this.detector.suggestKey(sound.mono);
    this.tempoMs += tempoAt - startedAt;
    this.keyMs += performance.now() - tempoAt;
    if (foundTempo && sound.bpm !== undefined)
      this.tempo.push({
        ...foundTempo,
        isRight: sound.bpm !== null && isSameTempo(foundTempo.bpm, sound.bpm),
      });
    if (foundKey && sound.key !== undefined)
      this.key.push({ ...foundKey, isRight: sound.key !== null && isSameKey(foundKey.key, sound.key) });
  }
}

const BUCKETS = [0, 0.2, 0.4, 0.6, 0.8] as const;

/** Prints suggestions by confidence: how many, and the share that is exactly right. */
export function printTable(title: string, judged: readonly Judged[]): void {
  const right = judged.filter(({ isRight }) => isRight).length;
  console.log(`${title}: ${judged.length} suggestions, ${right} right`);
  for (const from of BUCKETS) {
    const those = judged.filter(
      ({ confidence }) => confidence >= from && (from === 0.8 || confidence < from + 0.2),
    );
    const good = those.filter(({ isRight }) => isRight).length;
    const share = those.length === 0 ? '' : `${Math.round((good / those.length) * 100)} %`;
    console.log(
      `  from ${from.toFixed(1)} ${String(those.length).padStart(5)} ${String(good).padStart(5)} right ${String(those.length - good).padStart(5)} wrong ${share.padStart(6)}`,
    );
  }
}

interface Choice {
  candidates: readonly { evidence: readonly number[]; isRight: boolean }[];
  none: readonly number[];
}

/** Returns the choice for a sound whose tempo is known, to fit the weights. */
export function tempoChoice({ mono, mayLoop, usualBpm, bpm }: Labelled): Choice | undefined {
  const found = bpm === undefined ? undefined : tempo.candidatesIn(mono, mayLoop, usualBpm);
  return found && judgedBy(found, (answer) => typeof bpm === 'number' && isSameTempo(answer, bpm));
}

export function keyChoice({ mono, key: label }: Labelled): Choice | undefined {
  const found = label === undefined ? undefined : key.candidatesIn(mono);
  return found && judgedBy(found, (answer) => typeof label === 'string' && isSameKey(answer, label));
}

const judgedBy = <Answer>(
  { candidates, none }: { candidates: readonly Candidate<Answer>[]; none: readonly number[] },
  isRight: (answer: Answer) => boolean,
): Choice => ({
  candidates: candidates.map(({ answer, evidence }) => ({ evidence, isRight: isRight(answer) })),
  none,
});

const STEPS = 1_500;
const RATE_OF_LEARNING = 0.02;

/** Fits weights by multinomial logistic regression with Adam, on evidence that is scaled to unit spread. */
export function fit(choices: readonly Choice[], penalty = 1): Weights {
  const answers = choices.flatMap(({ candidates }) => candidates.map(({ evidence }) => evidence));
  const nones = choices.map(({ none }) => none);
  const scale = [...spreadOf(answers), ...spreadOf(nones)];
  const width = (answers[0] as number[]).length;
  const weights = scale.map(() => 0);
  const [drift, noise] = [scale.map(() => 0), scale.map(() => 0)];
  for (let step = 1; step <= STEPS; step++) {
    const slope = weights.map((value, at) => (at === width ? 0 : 2 * penalty * value));
    for (const { candidates, none } of choices) {
      const rows = [...candidates.map(({ evidence }) => evidence), none];
      const start = (row: number) => (row === rows.length - 1 ? width : 0);
      const scores = rows.map((row, index) =>
        row.reduce(
          (sum, value, at) =>
            sum + (value / (scale[start(index) + at] as number)) * (weights[start(index) + at] as number),
          0,
        ),
      );
      const highest = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - highest));
      const total = shares.reduce((sum, share) => sum + share, 0);
      const isNone = !candidates.some(({ isRight }) => isRight);
      const isRight = (index: number) => candidates[index]?.isRight ?? isNone;
      const right = shares.reduce((sum, share, index) => sum + (isRight(index) ? share : 0), 0);
      for (const [index, row] of rows.entries()) {
        const share = shares[index] as number;
        const push = share / total - (isRight(index) ? share / Math.max(right, 1e-12) : 0);
        for (const [at, value] of row.entries())
          slope[start(index) + at] =
            (slope[start(index) + at] as number) + (push * value) / (scale[start(index) + at] as number);
      }
    }
    for (const [at, value] of slope.entries()) {
      drift[at] = 0.9 * (drift[at] as number) + 0.1 * value;
      noise[at] = 0.999 * (noise[at] as number) + 0.001 * value * value;
      const [mean, spread] = [
        (drift[at] as number) / (1 - 0.9 ** step),
        (noise[at] as number) / (1 - 0.999 ** step),
      ];
      weights[at] = (weights[at] as number) - (RATE_OF_LEARNING * mean) / (Math.sqrt(spread) + 1e-9);
    }
  }
  const scaled = weights.map((value, at) => Math.round((value / (scale[at] as number)) * 100) / 100);
  return { answer: scaled.slice(0, width), none: scaled.slice(width) };
}

/** Returns the standard deviation of each number, or 1 if it never changes. */
const spreadOf = (rows: readonly (readonly number[])[]): number[] =>
  (rows[0] as number[]).map((_, at) => {
    const values = rows.map((row) => row[at] as number);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
  });
