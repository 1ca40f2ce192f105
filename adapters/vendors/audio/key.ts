import FFT from 'fft.js';
import type { MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { ANALYSIS_RATE_HZ } from '../../../domain/catalogue/sound/mono-track.js';

const WINDOW = 8_192;
const HOP = 4_096;
const BIN_HZ = ANALYSIS_RATE_HZ / WINDOW;
const LOWEST_HZ = 60;
const HIGHEST_HZ = 2_200;
/**
 * How often pieces in a key use each of the twelve notes, from the tonic up (Albrecht and Shanahan 2013). Correlated
 * with the notes of the sound. In the demo catalogue more accurate than Krumhansl's profiles.
 */
const MAJOR = [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081];
const MINOR = [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052];
/** The usual note names of tonics: Db in a major key, but C# in a minor key. */
const MAJOR_NOTES = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'] as const;
const MINOR_NOTES = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'G#', 'A', 'Bb', 'B'] as const;
const WEAKEST_FIT = 0.45;
const WEAKEST_CONFIDENCE = 0.15;
/** About 1.5 seconds. A sound with fewer tonal frames may be only a chord or a drum, and gets a lower confidence. */
const ENOUGH_FRAMES = 8;
/** A peak counts for its own note, and with less weight for three lower notes of which it may be an overtone. */
const OVERTONES = 4;
const OVERTONE_SHARE = 0.6;

export interface KeySuggestion {
  key: MusicalKey;
  /** 0 to 1. */
  confidence: number;
}

/** Suggests a key from the pitch classes in the sound; null if it is not tonal. */
export function suggestKey(mono: Float32Array): KeySuggestion | null {
  const heard = chromaOf(mono);
  if (!heard) return null;
  const { chroma, tonalFrames } = heard;
  const fits: Array<{ key: MusicalKey; fit: number }> = [];
  for (let tonic = 0; tonic < 12; tonic++) {
    const fromTonic = chroma.map((_, degree) => chroma[(tonic + degree) % 12] as number);
    fits.push({ key: `${MAJOR_NOTES[tonic] as 'C'} Major`, fit: correlation(fromTonic, MAJOR) });
    fits.push({ key: `${MINOR_NOTES[tonic] as 'C'} Minor`, fit: correlation(fromTonic, MINOR) });
  }
  fits.sort((a, b) => b.fit - a.fit);
  const [best, second] = fits as [(typeof fits)[0], (typeof fits)[0]];
  if (best.fit < WEAKEST_FIT) return null;
  const lead = Math.min(1, (best.fit - second.fit) / 0.2);
  const loudest = Math.max(...chroma);
  // A single note or a fifth fits many keys, so few notes lower the confidence.
  const notes = chroma.filter((value) => value > loudest * 0.25).length;
  const evidence = Math.min(1, tonalFrames / ENOUGH_FRAMES) * Math.min(1, notes / 4);
  const confidence = Math.round(best.fit * (0.4 + 0.6 * lead) * evidence * 100) / 100;
  return confidence < WEAKEST_CONFIDENCE ? null : { key: best.key, confidence };
}

/** Returns the energy of the twelve pitch classes, C first; undefined for silence and noise. */
function chromaOf(mono: Float32Array): { chroma: number[]; tonalFrames: number } | undefined {
  const fft = new FFT(WINDOW);
  const frame = new Float64Array(WINDOW);
  const spectrum = fft.createComplexArray();
  const chroma = Array.from({ length: 12 }, () => 0);
  let tonalFrames = 0;
  let frames = 0;
  for (let at = 0; at === 0 || at + WINDOW <= mono.length; at += HOP) {
    for (let index = 0; index < WINDOW; index++)
      frame[index] = (mono[at + index] ?? 0) * (WINDOW_SHAPE[index] as number);
    fft.realTransform(spectrum, frame);
    const pitches = pitchesOf(spectrum);
    frames++;
    if (!pitches) continue;
    tonalFrames++;
    for (let pitch = 0; pitch < 12; pitch++)
      chroma[pitch] = (chroma[pitch] as number) + (pitches[pitch] as number);
  }
  return tonalFrames > 0 && tonalFrames >= frames * 0.15 ? { chroma, tonalFrames } : undefined;
}

/** Returns the pitch classes of one window from its spectral peaks; undefined if no peak stands out. */
function pitchesOf(spectrum: ArrayLike<number>): number[] | undefined {
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
  for (let bin = from; bin <= to; bin++) {
    const [left, here, right] = [magnitudes[bin - 1], magnitudes[bin], magnitudes[bin + 1]] as [
      number,
      number,
      number,
    ];
    if (here < left || here <= right || here < loudest * 0.03) continue;
    const shift = (0.5 * (left - right)) / (left - 2 * here + right || 1);
    const strength = Math.sqrt(here / loudest);
    for (let overtone = 1; overtone <= OVERTONES; overtone++) {
      const note = 69 + 12 * Math.log2(((bin + shift) * BIN_HZ) / overtone / 440);
      const nearest = Math.round(note);
      // A peak halfway between two notes belongs to neither, so the distance from a note lowers its weight.
      const aim = Math.max(0, 1 - 2.2 * Math.abs(note - nearest));
      const pitch = ((nearest % 12) + 12) % 12;
      pitches[pitch] = (pitches[pitch] as number) + aim * strength * OVERTONE_SHARE ** (overtone - 1);
    }
  }
  return pitches;
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
