import type { Sound, SuspectedPair } from '../suspicions/suspect-copy.js';

/** The version of the fingerprint algorithm. Fingerprints of older versions are recomputed. */
export const ALGORITHM = 1;

export interface SampleVersion {
  sampleId: string;
  audioVersion: number;
}

export interface PresentSound extends Sound {
  originalKey: string;
  previewKey: string;
  /** Undefined before it is computed; null if the sound has too little content. */
  fingerprint: Uint8Array | null | undefined;
}

/** A stored fingerprint. `soundId` counts upwards in the order of storing. */
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
  /** Stores a fingerprint, unless a newer version is stored. Null means too little content. */
  abstract keep(sound: SampleVersion, fingerprint: Uint8Array | null): Promise<void>;
  abstract present(sampleId: string): Promise<PresentSound | undefined>;
  /** Lists fingerprints with an id above `after`, or a lower id that was committed late. Omits the ids in `known`. */
  abstract learn(after: number, known: readonly number[], limit: number): Promise<LearntSound[]>;
  /** Returns the sounds in the order of the ids. Skips sounds that were deleted or replaced. */
  abstract named(soundIds: readonly number[]): Promise<KnownSound[]>;
  /** Stores a pair. Both sounds may be drafts; the pair is reported once one of them goes on sale. */
  abstract keepPair(pair: SuspectedPair): Promise<void>;
  abstract compared(sound: SampleVersion): Promise<void>;
  /** Lists pairs of a pack's samples with sounds that are or were on sale, or were taken down. */
  abstract pairsOf(creatorId: string, packId: string): Promise<SuspectedPair[]>;
  /** Counts the samples of a pack that changed within `maxAgeMs` and are not compared yet. */
  abstract uncompared(creatorId: string, packId: string, maxAgeMs: number): Promise<number>;
  /** Lists samples that have no fingerprint of the current version, or were not compared. */
  abstract missing(after: string, limit: number): Promise<SampleVersion[]>;
  abstract counts(): Promise<SoundCounts>;
  /** Deletes the fingerprints of deleted sounds that no buyer owns. @returns how many */
  abstract sweep(): Promise<number>;
}
