import type { LearntSound } from './known-sounds.js';

/** How a sound lies beside a known one, by their signs. */
export interface Alignment {
  soundId: number;
  /** How much faster the sound is than the known one. */
  speed: number;
  /** Samples left out of the sound, and frames by which the known one is later, both at the analysis rate. */
  cut: number;
  shift: number;
  agreement: number;
  frames: number;
  agreeing: number;
}

export interface SecondLook {
  /** How well the phases fit, 0 to 1. */
  likeness: number;
  speed: number;
  /** The stretch that was compared, in both. */
  stretch: { fromMs: number; toMs: number; likeFromMs: number; likeToMs: number };
}

/** Compares sounds by listening to them, in a thread of its own that knows all fingerprints. */
export abstract class SoundStudio {
  /** What a file is recognised by; null if there is too little in it. */
  abstract fingerprint(path: string): Promise<Uint8Array | null>;
  /** The last sound that it knows, and those shortly before. */
  abstract known(): { last: number; recent: readonly number[] };
  abstract learn(sounds: readonly LearntSound[]): void;
  /** Known sounds that a file may be a copy of, the likeliest first. @param creatorId whose own are left out */
  abstract alike(path: string, creatorId: string): Promise<Alignment[]>;
  abstract compare(path: string, likePath: string, first: Alignment): Promise<SecondLook>;
}
