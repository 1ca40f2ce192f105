import type { SuspectedPair } from '../suspicions/suspicions.js';

/** How fingerprints are made; those of another way are made anew. */
export const ALGORITHM = 1;

/** One version of a sample's audio. */
export interface SampleVersion {
  sampleId: string;
  audioVersion: number;
}

/** What is needed to compare the sound that a sample has now. */
export interface PresentSound extends SampleVersion {
  sha256: string;
  packId: string;
  creatorId: string;
  originalKey: string;
  previewKey: string;
  /** Undefined: not made yet; null: there is too little in the sound. */
  fingerprint: Uint8Array | null | undefined;
}

/** A sound in the order in which fingerprints were kept. */
export interface LearntSound {
  soundId: number;
  creatorId: string;
  fingerprint: Uint8Array;
}

/** A sound that another one may be like. */
export interface KnownSound extends Omit<PresentSound, 'fingerprint' | 'originalKey'> {
  soundId: number;
  /** It is or was on sale. */
  isKnown: boolean;
}

/** How far fingerprints and comparisons have come. */
export interface SoundCounts {
  samples: number;
  missing: number;
  tooPlain: number;
  uncompared: number;
}

/** What all sounds are recognised by, and which of them are alike. */
export abstract class KnownSounds {
  /** An older version than the one that is kept changes nothing. @param fingerprint null: there is too little in the sound */
  abstract keep(sound: SampleVersion, fingerprint: Uint8Array | null): Promise<void>;
  /** Undefined where the sample is gone. */
  abstract present(sampleId: string): Promise<PresentSound | undefined>;
  /** Those kept after one, and those before it that were not told of yet. */
  abstract learn(after: number, told: readonly number[], limit: number): Promise<LearntSound[]>;
  /** In the order of the ids, without those that are gone or have other audio now. */
  abstract named(soundIds: readonly number[]): Promise<KnownSound[]>;
  /** Both sounds may be drafts: what is alike is told once one of them is for sale. */
  abstract keepPair(pair: SuspectedPair): Promise<void>;
  abstract compared(sound: SampleVersion): Promise<void>;
  /** Pairs of a pack's samples with sounds that are or were on sale. */
  abstract pairsOf(creatorId: string, packId: string): Promise<SuspectedPair[]>;
  /** How many samples of a pack wait to be compared, whose audio is not older than that. */
  abstract uncompared(creatorId: string, packId: string, maxAgeMs: number): Promise<number>;
  /** Samples without a fingerprint of the present way, or without a comparison. */
  abstract missing(after: string, limit: number): Promise<SampleVersion[]>;
  abstract counts(): Promise<SoundCounts>;
  /** Forgets sounds that nobody has any more. */
  abstract sweep(): Promise<number>;
}
