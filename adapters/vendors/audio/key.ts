import FFT from 'fft.js';
import type { MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { ANALYSIS_RATE_HZ } from '../../../domain/catalogue/sound/mono-track.js';
import { type Candidate, likeliest, type Weights } from './chances.js';

const WINDOW = 8_192;
const HOP = 4_096;
const BIN_HZ = ANALYSIS_RATE_HZ / WINDOW;
const LOWEST_HZ = 60;
const HIGHEST_HZ = 2_200;
/**
 * How often pieces in a key use each of the twelve notes, from the tonic up (Albrecht and Shanahan 2013). The notes
 * of a sound are correlated with these profiles, which are more accurate for the demo catalogue than Krumhansl's.
 */
const MAJOR = [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081];
const MINOR = [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052];
const MAJOR_SCALE = [0, 2, 4, 5, 7, 9, 11];
const MINOR_SCALE = [0, 2, 3, 5, 7, 8, 10];
/** The usual note names of tonics: Db in a major key, but C# in a minor key. */
const MAJOR_NOTES = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'] as const;
const MINOR_NOTES = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'G#', 'A', 'Bb', 'B'] as const;
/**
 * Numbers of tonal frames in about 1.5 and 6 seconds. A sound with fewer tonal frames may be only a chord or a
 * drum.
 */
const SOME_FRAMES = 8;
const MANY_FRAMES = 30;
/** Below this height, a peak also counts as a note of the bass. */
const BASS_HZ = 260;
/** A peak counts for its own note, and with less weight for three lower notes of which it may be an overtone. */
const OVERTONES = 4;
const OVERTONE_SHARE = 0.6;

/** In the order of `evidenceFor` and `evidenceAgainst`. */
const WEIGHTS: Weights = {
  answer: [2.44, 4.31, 3.88, 7.51, 2.17, -0.99, 4.58, 8.59, -3.67, -1.63, 0.2, 0.77, -0.64, 0.99],
  none: [2.65, 6.11, 0, 0.24, 7, -0.32, 34, -0.24],
};

export interface KeySuggestion {
  key: MusicalKey;
  /** The chance that the key is exactly right, from 0 to 1. */
  confidence: number;
}

/** Suggests a key from the pitch classes in the sound; null if it is not tonal. */
export function suggestKey(mono: Float32Array): KeySuggestion | null {
  const heard = candidatesIn(mono);
  const found = heard && likeliest(heard.candidates, heard.none, WEIGHTS);
  return found ? { key: found.answer, confidence: found.confidence } : null;
}

/** Suggests a key on a known root note: the sound decides between major and minor. Null if it is not tonal. */
export function suggestKeyOn(tonic: number, mono: Float32Array): KeySuggestion | null {
  const heard = candidatesIn(mono)?.candidates.filter((_, at) => at % MAJOR_NOTES.length === tonic);
  const found = heard && likeliest(heard, [1], { ...WEIGHTS, none: [Number.NEGATIVE_INFINITY] });
  return found ? { key: found.answer, confidence: found.confidence } : null;
}

/** Returns all keys, with the evidence for each and for none of them. Used to fit the weights. */
export function candidatesIn(
  mono: Float32Array,
): { candidates: Candidate<MusicalKey>[]; none: number[] } | undefined {
  const heard = pitchesIn(mono);
  if (!heard) return undefined;
  const keys = [...MAJOR_NOTES.entries(), ...MINOR_NOTES.entries()];
  const candidates = keys.map(([tonic, note], at) => {
    const isMinor = at >= MAJOR_NOTES.length;
    const answer: MusicalKey = `${note as 'C'} ${isMinor ? 'Minor' : 'Major'}`;
    return { answer, evidence: evidenceFor(heard, tonic, isMinor) };
  });
  return { candidates, none: evidenceAgainst(heard, mono.length / ANALYSIS_RATE_HZ) };
}

function evidenceFor({ all, bass, end, tonalFrames }: Pitches, tonic: number, isMinor: boolean): number[] {
  const from = (shares: readonly number[]) =>
    shares.map((_, degree) => shares[(tonic + degree) % 12] as number);
  const [shares, basses, last] = [from(all), from(bass), from(end)] as [number[], number[], number[]];
  const at = (degree: number): number => shares[degree] as number;
  const profile = isMinor ? MINOR : MAJOR;
  const [third, otherThird] = isMinor ? [3, 4] : [4, 3];
  const fit = correlation(shares, profile);
  const scale = isMinor ? MINOR_SCALE : MAJOR_SCALE;
  return [
    fit,
    fit * Math.min(1, tonalFrames / SOME_FRAMES),
    fit * Math.min(1, tonalFrames / MANY_FRAMES),
    scale.reduce((sum, degree) => sum + at(degree), 0),
    at(0),
    at(7),
    at(11),
    at(third),
    at(third) - at(otherThird),
    basses[0] as number,
    basses[7] as number,
    last[0] as number,
    correlation(last, profile),
    Number(isMinor),
  ];
}

/** Drums and noise have few tonal frames, and peaks between the notes. */
function evidenceAgainst({ all, tonalFrames, frames, aside }: Pitches, seconds: number): number[] {
  const loudest = Math.max(...all);
  const entropy = -all.reduce((sum, share) => sum + (share > 0 ? share * Math.log(share) : 0), 0);
  const notes = all.filter((share) => share > loudest * 0.25).length;
  return [
    1,
    tonalFrames / frames,
    entropy,
    notes / 12,
    loudest,
    Math.log(tonalFrames),
    aside,
    Math.log(seconds),
  ];
}

/** Shares of the twelve pitch classes, C first. */
interface Pitches {
  all: number[];
  bass: number[];
  /** The shares in the last fifth of the tonal frames, because most sounds end on their tonic. */
  end: number[];
  frames: number;
  tonalFrames: number;
  /** How far the peaks lie from the nearest note on average, in semitones. */
  aside: number;
}

/** Returns the pitches of a sound; undefined for silence and noise. */
function pitchesIn(mono: Float32Array): Pitches | undefined {
  const fft = new FFT(WINDOW);
  const frame = new Float64Array(WINDOW);
  const spectrum = fft.createComplexArray();
  const tonal: FramePitches[] = [];
  let frames = 0;
  for (let at = 0; at === 0 || at + WINDOW <= mono.length; at += HOP) {
    for (let index = 0; index < WINDOW; index++)
      frame[index] = (mono[at + index] ?? 0) * (WINDOW_SHAPE[index] as number);
    fft.realTransform(spectrum, frame);
    const pitches = pitchesOf(spectrum);
    frames++;
    if (pitches) tonal.push(pitches);
  }
  if (tonal.length === 0) return undefined;
  const lastFrames = tonal.slice(-Math.max(1, Math.round(tonal.length / 5)));
  return {
    all: sharesOf(tonal.map(({ pitches }) => pitches)),
    bass: sharesOf(tonal.map(({ bass }) => bass)),
    end: sharesOf(lastFrames.map(({ pitches }) => pitches)),
    frames,
    tonalFrames: tonal.length,
    aside: tonal.reduce((sum, { aside }) => sum + aside, 0) / tonal.length,
  };
}

function sharesOf(frames: readonly (readonly number[])[]): number[] {
  const sums = Array.from({ length: 12 }, (_, pitch) =>
    frames.reduce((sum, frame) => sum + (frame[pitch] as number), 0),
  );
  const total = sums.reduce((sum, value) => sum + value, 0) || 1;
  return sums.map((value) => value / total);
}

interface FramePitches {
  pitches: number[];
  bass: number[];
  aside: number;
}

/** Returns the pitch classes of one window from its spectral peaks; undefined if no peak stands out. */
function pitchesOf(spectrum: ArrayLike<number>): FramePitches | undefined {
  const from = Math.floor(LOWEST_HZ / BIN_HZ);
  const to = Math.ceil(HIGHEST_HZ / BIN_HZ);
  const magnitudes = new Float64Array(to + 2);
  let sum = 0;
  let loudest = 0;
  for (let bin = from - 1; bin <= to + 1; bin++) {
    const value = Math.hypot(spectrum[2 * bin] as number, spectrum[2 * bin + 1] as number);
    magnitudes[bin] = value;
    sum += value;
    loudest = Math.max(loudest, value);
  }
  const average = sum / (to - from + 3);
  // In noise the highest peak is at most a few times the average. A tone is far above the average.
  if (loudest < 1e-3 || loudest < average * 8) return undefined;
  const pitches = Array.from({ length: 12 }, () => 0);
  const bass = Array.from({ length: 12 }, () => 0);
  let [weight, aside] = [1e-9, 0];
  for (let bin = from; bin <= to; bin++) {
    const [left, here, right] = [magnitudes[bin - 1], magnitudes[bin], magnitudes[bin + 1]] as [
      number,
      number,
      number,
    ];
    if (here < left || here <= right || here < loudest * 0.03) continue;
    const shift = (0.5 * (left - right)) / (left - 2 * here + right || 1);
    const strength = Math.sqrt(here / loudest);
    const hertz = (bin + shift) * BIN_HZ;
    for (let overtone = 1; overtone <= OVERTONES; overtone++) {
      const note = 69 + 12 * Math.log2(hertz / overtone / 440);
      const nearest = Math.round(note);
      const distance = Math.abs(note - nearest);
      // A peak halfway between two notes belongs to neither, so the distance from a note lowers its weight.
      const aim = Math.max(0, 1 - 2.2 * distance);
      const pitch = ((nearest % 12) + 12) % 12;
      pitches[pitch] = (pitches[pitch] as number) + aim * strength * OVERTONE_SHARE ** (overtone - 1);
      if (overtone > 1) continue;
      weight += strength;
      aside += strength * distance;
      if (hertz < BASS_HZ) bass[pitch] = (bass[pitch] as number) + aim * strength;
    }
  }
  return { pitches, bass, aside: aside / weight };
}

const WINDOW_SHAPE = Float64Array.from(
  { length: WINDOW },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / WINDOW),
);

function correlation(a: readonly number[], b: readonly number[]): number {
  const meanA = a.reduce((sum, value) => sum + value, 0) / a.length;
  const meanB = b.reduce((sum, value) => sum + value, 0) / b.length;
  let [ab, aa, bb] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const da = value - meanA;
    const db = (b[index] as number) - meanB;
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return aa === 0 ? 0 : ab / Math.sqrt(aa * bb);
}
