import type { Network } from '../../domain/profiles/social-link.js';

export interface HandleOwner {
  userId: string;
  /** The current handle. If it differs from the requested one, the caller redirects. */
  handle: string;
}

/** The unique handles of users. A handle is never given to a second user. */
export abstract class ProfileStore {
  abstract findHandleOf(userId: string): Promise<string | undefined>;
  /** Finds a user by current or former handle, without regard to case. */
  abstract findOwner(handle: string): Promise<HandleOwner | undefined>;
  /** Sets a user's first or new handle. @returns false if another user has or had this handle */
  abstract claim(userId: string, handle: string, now: Date): Promise<boolean>;
}

export interface StoredProfile {
  bio: string;
  socials: Partial<Record<Network, string>>;
  /** The ids in display order. */
  featuredSampleIds: string[];
  updatedAt: Date;
}

export interface ListedSample {
  id: string;
  title: string;
  pack: string;
  packSlug: string;
  originalKey: string;
  artwork: string | null;
}

/** The table of profiles, or one of its columns, is missing. */
export class ProfileTableMissing extends Error {
  constructor(options?: ErrorOptions) {
    super('the table of profiles is missing', options);
    this.name = 'ProfileTableMissing';
  }
}

/** Creators' profiles. Every method may throw ProfileTableMissing. */
export abstract class CreatorProfileStore {
  /** @returns undefined if the user has no handle yet */
  abstract find(userId: string): Promise<StoredProfile | undefined>;
  /** Replaces everything except the handle. */
  abstract save(userId: string, profile: StoredProfile): Promise<void>;
  /** @returns the user's own listed samples, newest first @param text a part of the sample's or the pack's title */
  abstract listed(userId: string, limit: number, text?: string): Promise<ListedSample[]>;
  /** @returns the user's own listed samples among `ids`, in the order of `ids` */
  abstract listedAmong(userId: string, ids: readonly string[]): Promise<ListedSample[]>;
  /** @returns the id of the user's own sample whose audio has this key */
  abstract sampleAt(userId: string, originalKey: string): Promise<string | undefined>;
  /** @returns the user's folder below `Users/`, if any */
  abstract folderOf(userId: string): Promise<string | undefined>;
}
