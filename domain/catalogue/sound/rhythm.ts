import { BANDS, HOP, SOUND_RATE_HZ, type Spectra } from './spectra.js';

export const FRAMES_A_SECOND = SOUND_RATE_HZ / HOP;
/** The rise of a frame, in decibels, that counts as a hit. */
const HIT = 4;
/** Frames between repetitions of a rhythm: from 0.2 s to 2 s. */
const SHORTEST = Math.round(0.2 * FRAMES_A_SECOND);
const LONGEST = Math.round(2 * FRAMES_A_SECOND);

/** Returns by how many decibels the bands rise in each frame, on average. */
export function fluxesOf(logs: Float64Array, { frames }: Spectra): Float64Array {
  const fluxes = new Float64Array(frames);
  for (let frame = 1; frame < frames; frame++)
    for (let band = 0; band < BANDS; band++)
      fluxes[frame] =
        (fluxes[frame] as number) +
        Math.max(0, (logs[frame * BANDS + band] as number) - (logs[(frame - 1) * BANDS + band] as number)) /
          BANDS;
  return fluxes;
}

export function hitsIn(fluxes: Float64Array): number {
  let hits = 0;
  for (let frame = 1; frame + 1 < fluxes.length; frame++) {
    const here = fluxes[frame] as number;
    if (here > HIT && here > (fluxes[frame - 1] as number) && here >= (fluxes[frame + 1] as number)) hits++;
  }
  return hits;
}

/**
 * Returns the hits per second, the interval of the rhythm's repetition, its clearness, and the decay of a sound that
 * does not repeat. Each value is scaled to about 0 to 100.
 *
 * @param fall the logarithm of the seconds in which the sound loses 20 dB
 */
export function rhythmOf(fluxes: Float64Array, fall: number): number[] {
  const { frames, likeness } = repetitionOf(fluxes);
  const interval = Math.log2(frames / SHORTEST) / Math.log2(LONGEST / SHORTEST);
  const hits = Math.log10(1 + (hitsIn(fluxes) * FRAMES_A_SECOND) / fluxes.length);
  return [80 * hits, 100 * likeness * interval, 100 * likeness, 27 * (fall + 2.7) * (1 - likeness)];
}

/**
 * Returns the number of frames after which the changes of a sound repeat most clearly, and how clearly, from 0 to
 * 1.
 */
function repetitionOf(fluxes: Float64Array): { frames: number; likeness: number } {
  const mean = fluxes.reduce((sum, value) => sum + value, 0) / fluxes.length;
  const changes = fluxes.map((value) => value - mean);
  const energy = changes.reduce((sum, value) => sum + value * value, 1e-9);
  let best = { frames: SHORTEST, likeness: 0 };
  for (let lag = SHORTEST; lag <= LONGEST && 2 * lag <= changes.length; lag++) {
    let sum = 0;
    for (let at = lag; at < changes.length; at++)
      sum += (changes[at] as number) * (changes[at - lag] as number);
    const likeness = sum / energy;
    if (likeness > best.likeness) best = { frames: lag, likeness };
  }
  return best;
}
