export interface Sound {
  sampleId: string;
  audioVersion: number;
  /** The hash of the original file. */
  sha256: string;
  packId: string;
  creatorId: string;
}

/** Two sounds of different creators that seem to be one recording. */
export interface SuspectedPair {
  /** The sound that was checked. */
  sound: Sound;
  /** The similar sound, which is or was on sale, or was taken down. */
  like: Sound;
  by: 'hash' | 'fingerprint';
  /** Held: similar enough to be off sale until an administrator decides. Listed: only shown to administrators. */
  tier: 'held' | 'listed';
  /** 0 to 100; at least 70 for a held pair. */
  score: number;
  /** Agreeing frames of the compared ones. */
  frames: { agree: number; of: number };
  /** The similar stretch in both sounds. */
  stretch: { fromMs: number; toMs: number; likeFromMs: number; likeToMs: number };
  /** How much later the same moment comes in `like`; negative if it comes earlier. */
  offsetMs: number;
  /** The speed of `sound` relative to `like`; 1 means equal. */
  speed: number;
  /** The pitch of `sound` above `like`, in hundredths of a semitone. */
  pitchCents: number;
}

/** Takes the findings of the sound check. */
export abstract class Suspicions {
  /** Reports a pair. Repeated pairs and reversed pairs are allowed. When this resolves, a held `sound` is off sale. */
  abstract found(pair: SuspectedPair): Promise<void>;
}
