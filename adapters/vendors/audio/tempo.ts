import MusicTempo from 'music-tempo';
import { ANALYSIS_RATE_HZ } from '../../../domain/catalogue/sound/mono-track.js';
import { type Candidate, likeliest, type Weights } from './chances.js';

const WINDOW = 1_024;
const HOP = 220;
const FLUX_RATE_HZ = ANALYSIS_RATE_HZ / HOP;
const SHORTEST_SECONDS = 1.3;
const LISTEN_SECONDS = 12;
/** Tempos to try, as ratios to the tracker's tempo: trackers may find half, double or a triplet of the usual tempo. */
const RELATIONS = [1, 2, 1 / 2, 3 / 2, 2 / 3, 4 / 3, 3 / 4];
const BEATS_IN_BAR = 4;
const TRIED_BPM = [50, 220] as const;
const USUAL_BPM = [70, 180] as const;
/** The tempo that counts as neither fast nor slow. */
const MIDDLE_BPM = 106;
/** How much a tried tempo may change, as a share, so that the loop has a whole number of beats. */
const LOOP_TOLERANCE = 0.03;
const ENOUGH_ONSETS = 6;
const WEAKEST_ECHO = 0.2;
/** 0.1 s. */
const STEP = ANALYSIS_RATE_HZ / 10;
const STEADY_DECIBELS = 0.5;

/** In the order of `evidenceFor` and `evidenceAgainst`. */
const WEIGHTS: Weights = {
  answer: [0.44, 2.73, -4.1, -1.34, -0.28, -2.69, -4.99, 0.46, 2, 2.62, 2.77],
  none: [8.24, -2.13, -2.08, -3.18],
};

export interface TempoSuggestion {
  bpm: number;
  /** The chance that the tempo is exactly right, from 0 to 1. */
  confidence: number;
}

interface Tried {
  bpm: number;
  /** Whether the tracker found this tempo, and not a related one. */
  isTracked: boolean;
  /** Whether the file has a whole number of beats at this tempo. */
  isLoop: boolean;
}

/**
 * Suggests a tempo: compares how clearly the rhythm repeats at the tracker's tempo and at related tempos.
 * @param options.mayLoop whether `mono` is a whole file of exact length. Its length then decides between close tempos
 * @param options.usualBpm the usual tempo of music of this name or genre, which decides between octaves
 */
export function suggestTempo(
  mono: Float32Array,
  { mayLoop, usualBpm }: { mayLoop: boolean; usualBpm?: number | undefined },
): TempoSuggestion | null {
  const heard = candidatesIn(mono, mayLoop, usualBpm);
  const found = heard && likeliest(heard.candidates, heard.none, WEIGHTS);
  return found ? { bpm: found.answer, confidence: found.confidence } : null;
}

/** Returns the tempos to choose from, with the evidence for each and for none of them. Used to fit the weights. */
export function candidatesIn(
  mono: Float32Array,
  mayLoop: boolean,
  usualBpm: number | undefined,
): { candidates: Candidate<number>[]; none: number[] } | undefined {
  const seconds = mono.length / ANALYSIS_RATE_HZ;
  if (seconds < SHORTEST_SECONDS || mono.every((value) => Math.abs(value) < 1e-4)) return undefined;
  const tracked = isSteady(mono)
    ? undefined
    : track(mayLoop ? repeat(mono, LISTEN_SECONDS * ANALYSIS_RATE_HZ) : mono);
  const loopSeconds = mayLoop ? seconds : undefined;
  const echo = echoesIn(tracked?.flux ?? [], mayLoop ? seconds * FLUX_RATE_HZ : Infinity);
  const candidates = tempos(tracked?.bpm, loopSeconds).map((tried) => ({
    answer: Math.round(tried.bpm),
    evidence: evidenceFor(tried, echo, { loopSeconds, usualBpm }),
  }));
  return { candidates, none: evidenceAgainst(mono, (tracked?.flux ?? []).slice(0, seconds * FLUX_RATE_HZ)) };
}

function evidenceFor(
  { bpm, isTracked, isLoop }: Tried,
  echo: (lagSeconds: number) => number,
  { loopSeconds, usualBpm }: { loopSeconds: number | undefined; usualBpm: number | undefined },
): number[] {
  const beat = 60 / bpm;
  const octaves = Math.log2(bpm / MIDDLE_BPM);
  const repeats = [1, 4, 1 / 4, 1 / 3].map((beats) => echo(beat * beats));
  // A length of whole seconds fits some tempo by chance, so such a length is evidence only if the rhythm repeats as
  // well.
  const isCut = isLoop && !(isWholeSeconds(loopSeconds ?? 0) && Math.max(...repeats) < WEAKEST_ECHO);
  // Producers prefer whole tempos, and loops of 1, 2, 4, 8 or 16 bars.
  const isWholeTempo = isCut && Math.abs(bpm - Math.round(bpm)) < 0.06;
  const bars = (loopSeconds ?? 0) / (beat * BEATS_IN_BAR);
  const isWholeBars = isCut && Math.abs(bars - Math.round(bars)) < 0.01;
  return [
    ...repeats,
    octaves,
    octaves ** 2,
    usualBpm === undefined ? 0 : Math.log2(bpm / usualBpm) ** 2,
    Number(isTracked),
    Number(isWholeTempo),
    Number(isWholeBars && [1, 2, 4, 8, 16].includes(Math.round(bars))),
    Number(isWholeTempo && isWholeBars),
  ];
}

/** A sound that decays, has few onsets, or is about as loud between its onsets as at them has no tempo. */
function evidenceAgainst(mono: Float32Array, flux: readonly number[]): number[] {
  const middle = mono.length >> 1;
  const growth = decibels(mono.subarray(middle)) - decibels(mono.subarray(0, middle));
  const average = mean(flux);
  const spread = Math.sqrt(mean(flux.map((value) => (value - average) ** 2))) || 1;
  const onsets = flux.filter(
    (value, at) =>
      value > average + spread && value > (flux[at - 1] ?? Infinity) && value >= (flux[at + 1] ?? Infinity),
  );
  return [1, Math.max(-60, growth) / 20, average / spread, Math.min(1, onsets.length / ENOUGH_ONSETS)];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const decibels = (part: Float32Array): number =>
  10 * Math.log10((part.reduce((sum, value) => sum + value * value, 0) + 1e-12) / part.length);

/** Whether the level never changes, as in a tone. The tracker would find a rhythm in rounding errors. */
function isSteady(mono: Float32Array): boolean {
  const levels: number[] = [];
  for (let at = 0; at + STEP <= mono.length; at += STEP) levels.push(decibels(mono.subarray(at, at + STEP)));
  return Math.max(...levels) - Math.min(...levels) < STEADY_DECIBELS;
}

function track(samples: Float32Array): { bpm: number; flux: number[] } | undefined {
  try {
    const found = new MusicTempo(samples, { bufferSize: WINDOW, hopSize: HOP, timeStep: 1 / FLUX_RATE_HZ });
    return { bpm: Number(found.tempo), flux: found.spectralFlux };
  } catch {
    // The tracker throws if it finds no onsets, as in a pad or a drone.
    return undefined;
  }
}

/** Returns the tempos to try, one for each whole tempo in BPM. */
function tempos(trackedBpm: number | undefined, loopSeconds: number | undefined): Tried[] {
  const tried = new Map<number, Tried>();
  const add = (bpm: number, isTracked: boolean, isLoop: boolean): void => {
    if (bpm < TRIED_BPM[0] || bpm > TRIED_BPM[1]) return;
    const former = tried.get(Math.round(bpm));
    tried.set(Math.round(bpm), {
      bpm: isLoop || !former ? bpm : former.bpm,
      isTracked: isTracked || former?.isTracked === true,
      isLoop: isLoop || former?.isLoop === true,
    });
  };
  for (const relation of trackedBpm === undefined ? [] : RELATIONS) {
    const bpm = (trackedBpm as number) * relation;
    if (bpm < TRIED_BPM[0] || bpm > TRIED_BPM[1]) continue;
    const beats = Math.round((bpm * (loopSeconds ?? 0)) / 60);
    const loopBpm = (beats * 60) / (loopSeconds ?? 1);
    const isLoop = beats >= 2 && Math.abs(loopBpm / bpm - 1) <= LOOP_TOLERANCE;
    add(isLoop ? loopBpm : bpm, relation === 1, isLoop);
  }
  for (const bpm of wholeBars(loopSeconds)) add(bpm, false, true);
  return [...tried.values()];
}

/** A length of whole seconds would always fit some tempo. */
const isWholeSeconds = (seconds: number): boolean => Math.abs(seconds - Math.round(seconds)) < 0.001;

/** Returns the usual, whole tempos in BPM at which this length is 1, 2, 4, 8, 16 or 32 bars. */
function wholeBars(loopSeconds: number | undefined): number[] {
  if (loopSeconds === undefined || isWholeSeconds(loopSeconds)) return [];
  return [1, 2, 4, 8, 16, 32]
    .map((bars) => (bars * BEATS_IN_BAR * 60) / loopSeconds)
    .filter((bpm) => bpm >= USUAL_BPM[0] && bpm <= USUAL_BPM[1])
    .filter((bpm) => Math.abs(bpm - Math.round(bpm)) < 0.01);
}

/**
 * Returns how clearly onsets repeat after a time, from 0 to 1. Steady noise does not repeat. Ignores multiples of
 * `loopLag`, after which we repeat the loop.
 */
function echoesIn(flux: readonly number[], loopLag: number): (lagSeconds: number) => number {
  const smooth = flux.map((value, at) => 0.5 * value + 0.25 * ((flux[at - 1] ?? 0) + (flux[at + 1] ?? 0)));
  const average = mean(smooth);
  const changes = smooth.map((value) => value - average);
  const energy = mean(changes.map((value) => value * value)) || 1;
  const correlation = (lag: number): number => {
    if (lag >= changes.length * 0.75) return 0;
    let sum = 0;
    for (let at = lag; at < changes.length; at++)
      sum += (changes[at] as number) * (changes[at - lag] as number);
    return sum / (changes.length - lag) / energy;
  };
  return (lagSeconds) => {
    const lag = lagSeconds * FLUX_RATE_HZ;
    const loops = lag / loopLag;
    if (loops > 0.5 && Math.abs(loops - Math.round(loops)) < 0.03) return 0;
    const center = Math.round(lag);
    return Math.max(0, correlation(center - 1), correlation(center), correlation(center + 1));
  };
}

function repeat(samples: Float32Array, atLeast: number): Float32Array {
  if (samples.length >= atLeast) return samples;
  const times = Math.ceil(atLeast / samples.length);
  const repeated = new Float32Array(samples.length * times);
  for (let at = 0; at < times; at++) repeated.set(samples, at * samples.length);
  return repeated;
}
