import type { Random } from '../../domain/shared/seeded-random.js';
import { RATE, type Stereo } from './stereo.js';

/** A note as input of an instrument. */
interface Sounding {
  /** The frame of its start in the buffer. */
  at: number;
  frequencyHz: number;
  seconds: number;
  /** 0…1 */
  velocity: number;
  random: Random;
}

/** Adds one note to the buffer. */
export type Voice = (out: Stereo, note: Sounding) => void;

export interface Envelope {
  attack: number;
  decay: number;
  /** The level while the key is down. */
  sustain: number;
  release: number;
}

/** Returns the envelope's level `t` seconds after the start of a note that is held for `held` seconds. */
export function levelAt(envelope: Envelope, t: number, held: number): number {
  const { attack, decay, sustain, release } = envelope;
  const whileDown = (s: number): number => {
    if (s < attack) return s / attack;
    return sustain + (1 - sustain) * Math.exp(-(s - attack) / Math.max(0.001, decay * 0.35));
  };
  if (t < held) return whileDown(t);
  return whileDown(held) * Math.exp(-(t - held) / Math.max(0.001, release * 0.25));
}

/** Frames between two updates of slow controls, such as filter cutoffs. */
export const CONTROL = 32;

/** Returns the frames until a note can no longer be heard, limited by the buffer. */
export function span(out: Stereo, note: Sounding, tailSeconds: number): number {
  return Math.max(0, Math.min(out.left.length - note.at, Math.round((note.seconds + tailSeconds) * RATE)));
}
