import MusicTempo from 'music-tempo';
import { ANALYSIS_RATE_HZ } from '../../../domain/catalogue/sound/mono-track.js';

const WINDOW = 1_024;
const HOP = 220;
const FLUX_RATE_HZ = ANALYSIS_RATE_HZ / HOP;
const SHORTEST_SECONDS = 1.3;
const LISTEN_SECONDS = 12;
/** Tempos to try, as ratios to the tracker's tempo: trackers may find half, double or a triplet of the usual tempo. */
const RELATIONS = [1, 2, 1 / 2, 3 / 2, 2 / 3, 4 / 3, 3 / 4];
const BEATS_IN_BAR = 4;
const WEAKEST_CONFIDENCE = 0.1;
const LENGTH_CONFIDENCE = 0.4;
const USUAL_BPM = [70, 180] as const;
/** How much a tried tempo may change, as a share, so that the loop has a whole number of beats. */
const LOOP_TOLERANCE = 0.03;

export interface TempoSuggestion {
  bpm: number;
  /** 0 to 1. */
  confidence: number;
}

/**
 * Suggests a tempo: compares how strongly the rhythm repeats at the tracker's tempo and at related tempos.
 * @param mayLoop whether `mono` is a whole file of exact length. Its length then decides between close tempos
 */
export function suggestTempo(mono: Float32Array, mayLoop: boolean): TempoSuggestion | null {
  const seconds = mono.length / ANALYSIS_RATE_HZ;
  if (seconds < SHORTEST_SECONDS || mono.every((value) => Math.abs(value) < 1e-4)) return null;
  const loopSeconds = mayLoop ? seconds : undefined;
  const heard = track(mayLoop ? repeat(mono, LISTEN_SECONDS * ANALYSIS_RATE_HZ) : mono);
  if (!heard) return fromLength(loopSeconds);
  const strength = beatStrength(heard.flux, mayLoop ? seconds * FLUX_RATE_HZ : Infinity);
  let best = { bpm: 0, score: -Infinity, strength: 0 };
  for (const { bpm, bonus } of candidates(heard.bpm, loopSeconds)) {
    const beat = strength(bpm);
    const score = beat + preference(bpm) + bonus;
    if (score > best.score) best = { bpm, score, strength: beat };
  }
  // Less than a bar gives little confidence, because two sounds with any distance fit some tempo.
  const bars = (best.bpm * seconds) / 60 / BEATS_IN_BAR;
  const confidence = Math.round(Math.max(0, Math.min(1, best.strength) * Math.min(1, bars)) * 100) / 100;
  if (confidence < WEAKEST_CONFIDENCE) return fromLength(loopSeconds);
  return { bpm: Math.round(best.bpm), confidence };
}

/** Suggests a tempo from the length of the loop alone. A pad of four bars has no rhythm, but still a tempo. */
function fromLength(loopSeconds: number | undefined): TempoSuggestion | null {
  const [likeliest] = wholeBars(loopSeconds).sort((a, b) => preference(b) - preference(a));
  return likeliest === undefined ? null : { bpm: Math.round(likeliest), confidence: LENGTH_CONFIDENCE };
}

/** Returns the usual, whole tempos in BPM at which this length is 1, 2, 4, 8, 16 or 32 bars. */
function wholeBars(loopSeconds: number | undefined): number[] {
  // A length of whole seconds would always fit some tempo, but it is a recording cut by the second, not a loop.
  if (loopSeconds === undefined || Math.abs(loopSeconds - Math.round(loopSeconds)) < 0.001) return [];
  return [1, 2, 4, 8, 16, 32]
    .map((bars) => (bars * BEATS_IN_BAR * 60) / loopSeconds)
    .filter((bpm) => bpm >= USUAL_BPM[0] && bpm <= USUAL_BPM[1])
    .filter((bpm) => Math.abs(bpm - Math.round(bpm)) < 0.01);
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

function candidates(
  heardBpm: number,
  loopSeconds: number | undefined,
): Array<{ bpm: number; bonus: number }> {
  const found = wholeBars(loopSeconds).map((bpm) => ({ bpm, bonus: 0.4 }));
  for (const relation of RELATIONS) {
    const bpm = heardBpm * relation;
    if (bpm < 50 || bpm > 220) continue;
    const heardBonus = relation === 1 ? 0.1 : 0;
    found.push({ bpm, bonus: heardBonus });
    if (loopSeconds === undefined) continue;
    const beats = Math.round((bpm * loopSeconds) / 60);
    const loopBpm = (beats * 60) / loopSeconds;
    if (beats < 2 || Math.abs(loopBpm / bpm - 1) > LOOP_TOLERANCE) continue;
    // Producers prefer whole tempos and loops of whole bars, so each of these gets a bonus.
    const isWholeTempo = Math.abs(loopBpm - Math.round(loopBpm)) < 0.06;
    found.push({
      bpm: loopBpm,
      bonus: heardBonus + (isWholeTempo ? 0.25 : 0) + (beats % 4 === 0 ? 0.15 : 0),
    });
  }
  return found;
}

/** Rates how usual a tempo is: best near 106 BPM, worse with distance, and worst outside `USUAL_BPM`. */
function preference(bpm: number): number {
  const octaves = Math.log2(bpm / 106);
  return -0.35 * octaves * octaves - (bpm < USUAL_BPM[0] || bpm > USUAL_BPM[1] ? 0.5 : 0);
}

/** Returns how strongly onsets repeat after 1 to 4 beats. Ignores multiples of `loopLag`, where we repeat the loop. */
function beatStrength(flux: readonly number[], loopLag: number): (bpm: number) => number {
  const smooth = flux.map((value, at) => 0.5 * value + 0.25 * ((flux[at - 1] ?? 0) + (flux[at + 1] ?? 0)));
  const energy = smooth.reduce((sum, value) => sum + value * value, 0) / smooth.length || 1;
  const correlation = (lag: number): number => {
    if (lag >= smooth.length / 2) return 0;
    let sum = 0;
    for (let at = lag; at < smooth.length; at++) sum += (smooth[at] as number) * (smooth[at - lag] as number);
    return sum / (smooth.length - lag) / energy;
  };
  return (bpm) => {
    const lag = (60 / bpm) * FLUX_RATE_HZ;
    const echoes = [1, 2, 3, 4].flatMap((beats) => {
      const loops = (lag * beats) / loopLag;
      if (loops > 0.5 && Math.abs(loops - Math.round(loops)) < 0.03) return [];
      const center = Math.round(lag * beats);
      return Math.max(correlation(center - 1), correlation(center), correlation(center + 1));
    });
    return echoes.length === 0 ? 0 : echoes.reduce((sum, value) => sum + value, 0) / echoes.length;
  };
}

function repeat(samples: Float32Array, atLeast: number): Float32Array {
  if (samples.length >= atLeast) return samples;
  const times = Math.ceil(atLeast / samples.length);
  const repeated = new Float32Array(samples.length * times);
  for (let at = 0; at < times; at++) repeated.set(samples, at * samples.length);
  return repeated;
}
