import type { Sound, SuspectedPair } from '../suspicions/suspect-copy.js';

/** The version of the fingerprint algorithm. A new version makes jobs compute all fingerprints again. */
export const ALGORITHM = 1;

export interface SampleVersion {
  sampleId: string;
  audioVersion: number;
}

export interface PresentSound extends Sound {
  originalKey: string;
  previewKey: string;
  /** Undefined before it is computed. Null for a sound with too little content. */
  fingerprint: Uint8Array | null | undefined;
}

/** A stored fingerprint. `soundId` increases with each stored fingerprint. */
export interface LearntSound {
  soundId: number;
  creatorId: string;
  fingerprint: Uint8Array;
}

export interface KnownSound extends Omit<PresentSound, 'fingerprint' | 'originalKey'> {
  soundId: number;
  /** Whether the sound is or was on sale, or was taken down. */
  isKnown: boolean;
}

export interface SoundCounts {
  samples: number;
  missing: number;
  tooPlain: number;
  uncompared: number;
}

export abstract class KnownSounds {
  /** Stores a fingerprint, unless that of a newer version is stored. Null for a sound with too little content. */
  abstract keep(sound: SampleVersion, fingerprint: Uint8Array | null): Promise<void>;
  abstract present(sampleId: string): Promise<PresentSound | undefined>;
  /** Lists fingerprints after an id, and those before it that were committed late. Omits the ids in `known`. */
  abstract learn(after: number, known: readonly number[], limit: number): Promise<LearntSound[]>;
  /** Returns the sounds in the order of `soundIds`. Skips sounds that were deleted or replaced. */
  abstract named(soundIds: readonly number[]): Promise<KnownSound[]>;
  /** Stores a similar pair, even of two drafts. The pair is reported once one of its sounds goes on sale. */
  abstract keepPair(pair: SuspectedPair): Promise<void>;
  abstract compared(sound: SampleVersion): Promise<void>;
  /** Lists pairs of a pack's samples with sounds that are or were on sale, or were taken down. */
  abstract pairsOf(creatorId: string, packId: string): Promise<SuspectedPair[]>;
  /** Counts the samples of a pack that changed in the last `maxAgeMs` and are not compared yet. */
  abstract uncompared(creatorId: string, packId: string, maxAgeMs: number): Promise<number>;
  /** Lists samples whose current audio was not compared by the current algorithm. */
  abstract missing(after: string, limit: number): Promise<SampleVersion[]>;
  abstract counts(): Promise<SoundCounts>;
  /** Deletes the fingerprints of deleted sounds, except sounds with buyers. @returns the number of deletions */
  abstract sweep(): Promise<number>;
}
