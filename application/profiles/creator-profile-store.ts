import type { Network } from '../../domain/profiles/social-link.js';

export interface StoredProfile {
  bio: string;
  socials: Partial<Record<Network, string>>;
  /** In the order shown. */
  featuredSampleIds: string[];
  updatedAt: Date;
}

/** A sample that listeners can find, as its creator may feature it. */
export interface ListedSample {
  id: string;
  title: string;
  pack: string;
  packSlug: string;
  originalKey: string;
  artwork: string | null;
}

/** The table of profiles, or a column of it, is not there. */
export class ProfileTableMissing extends Error {
  constructor(options?: ErrorOptions) {
    super('the table of profiles cannot be used', options);
    this.name = 'ProfileTableMissing';
  }
}

/** Creators' descriptions of themselves. Every method may throw ProfileTableMissing. */
export abstract class CreatorProfileStore {
  /** Undefined until the user has a handle. */
  abstract find(userId: string): Promise<StoredProfile | undefined>;
  /** Replaces everything but the handle. */
  abstract save(userId: string, profile: StoredProfile): Promise<void>;
  /** The user's own samples in the catalogue, newest first. @param text part of their title or their pack's */
  abstract listed(userId: string, limit: number, text?: string): Promise<ListedSample[]>;
  /** Those of `ids` that are the user's own and in the catalogue, in that order. */
  abstract listedAmong(userId: string, ids: readonly string[]): Promise<ListedSample[]>;
  /** The user's own sample with its audio at this key. */
  abstract sampleAt(userId: string, originalKey: string): Promise<string | undefined>;
  /** The user's folder below `Users/`, if any. */
  abstract folderOf(userId: string): Promise<string | undefined>;
}
