/** One version of a sample's audio, and whose it is. */
export interface Sound {
  sampleId: string;
  audioVersion: number;
  /** Of the original. */
  sha256: string;
  packId: string;
  creatorId: string;
}

/** Two sounds of different creators that seem to be one recording. */
export interface SuspectedPair {
  /** The sound that was looked at. */
  sound: Sound;
  /** The one that it is like, which is or was on sale. */
  like: Sound;
  by: 'hash' | 'fingerprint';
  /** Held: too alike to be sold before somebody has decided. Listed: alike enough for somebody to listen. */
  tier: 'held' | 'listed';
  /** 0 to 100; a pair that is held has at least 70. */
  score: number;
  /** How many moments of those that were compared agree. */
  frames: { agree: number; of: number };
  /** The stretch that is alike, in each of the two. */
  stretch: { fromMs: number; toMs: number; likeFromMs: number; likeToMs: number };
  /** How much later the same moment comes in `like`; negative: earlier. */
  offsetMs: number;
  /** How much faster `sound` is; 1 is as fast. */
  speed: number;
  /** How much higher `sound` is, in hundredths of a semitone. */
  pitchCents: number;
}

/** What follows from two sounds that are alike; decided elsewhere. */
export abstract class Suspicions {
  /**
   * The same pair may be told any number of times, and from either side. What follows for `sound` stands when this
   * resolves: one that is held is not on sale any more.
   */
  abstract found(pair: SuspectedPair): Promise<void>;
}
