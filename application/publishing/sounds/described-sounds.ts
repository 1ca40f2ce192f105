import type { SampleVersion } from './known-sounds.js';

/** Descriptors of sounds, by which the catalogue finds similar ones. */
export abstract class DescribedSounds {
  /** Stores descriptors, unless those of a newer version are stored. Null means that the sound is silent. */
  abstract keep(sound: SampleVersion, descriptors: Float32Array | null): Promise<void>;
  /** Returns the key of the original, or undefined if the version was described, replaced or deleted. */
  abstract undescribed(sound: SampleVersion): Promise<string | undefined>;
  /** Lists samples whose descriptors are missing, or come from replaced audio or an older algorithm. */
  abstract missing(limit: number): Promise<SampleVersion[]>;
  /** Deletes the descriptors of deleted sounds. @returns how many */
  abstract sweep(): Promise<number>;
}
