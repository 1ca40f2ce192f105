import { HOP, signsOf, type DoubtedSigns } from './signs.js';

export interface Question {
  signs: DoubtedSigns;
  /** The search compares the sound slowed down by this factor, to find the original of a faster copy. */
  speed: number;
  cut: number;
}

const SPEEDS = [0.98, 0.99, 1, 1.01, 1.02];
/** Samples to cut from the start, because frames of a copy rarely begin where those of the original do. */
const CUTS = [0, HOP / 2];
const CUTS_OF_SHORT = [0, HOP / 4, HOP / 2, (3 * HOP) / 4];
const SHORT = 24 * HOP;

export const questionsOf = (track: Float32Array): Question[] =>
  SPEEDS.flatMap((speed) => {
    const slowed = atSpeed(track, 1 / speed);
    return (track.length < SHORT ? CUTS_OF_SHORT : CUTS).map((cut) => ({
      speed,
      cut,
      signs: signsOf(slowed.subarray(cut)),
    }));
  });

/** Resamples a track by cubic interpolation, so that it plays faster by a factor. */
export function atSpeed(track: Float32Array, factor: number): Float32Array {
  if (factor === 1) return track;
  const length = Math.max(0, Math.floor(track.length / factor) - 3);
  const played = new Float32Array(length);
  for (let index = 0; index < length; index++) {
    const at = index * factor;
    const whole = Math.trunc(at);
    const share = at - whole;
    const a = whole > 0 ? (track[whole - 1] as number) : 0;
    const b = track[whole] as number;
    const c = track[whole + 1] as number;
    const d = track[whole + 2] as number;
    played[index] =
      b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)));
  }
  return played;
}
