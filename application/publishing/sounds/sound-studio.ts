import type { LearntSound } from './known-sounds.js';

export interface Alignment {
  soundId: number;
  speed: number;
  /**
   * `cut`: the number of audio values that the search skipped at the start of the file, at the sample rate of the
   * analysis. `shift`: the number of fingerprint frames by which the known sound is later than the searched sound.
   */
  cut: number;
  shift: number;
  agreement: number;
  frames: number;
  agreeing: number;
}

export interface SecondLook {
  /** How well the phases of the two sounds agree, from 0 to 1. A copy keeps the phases of its original. */
  likeness: number;
  speed: number;
  stretch: { fromMs: number; toMs: number; likeFromMs: number; likeToMs: number };
}

/** Compares sounds in a worker thread, which has all fingerprints in memory. */
export abstract class SoundStudio {
  /** Returns the fingerprint of a file, or null if the file has too little content. */
  abstract fingerprint(path: string): Promise<Uint8Array | null>;
  /** Returns the descriptors of a file, or null if the file is silent. */
  abstract describe(path: string): Promise<Float32Array | null>;
  /** Returns the highest id of the fingerprints that the thread has in memory, and the newest ids. */
  abstract known(): { last: number; recent: readonly number[] };
  abstract learn(sounds: readonly LearntSound[]): void;
  /** Lists known sounds that a file may be a copy of, likeliest first. @param creatorId omits this creator's sounds */
  abstract alike(path: string, creatorId: string): Promise<Alignment[]>;
  abstract compare(path: string, likePath: string, first: Alignment): Promise<SecondLook>;
}
