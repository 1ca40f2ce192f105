import type { ApplicationSound } from '../contract.js';

export interface ApplicationPack {
  userId: string;
  packId: string;
}

/** The draft of each applicant that holds the sounds of the application. */
export abstract class ApplicationPacks {
  /** Returns the pack of a user, unless the user deleted it. */
  abstract find(userId: string): Promise<string | undefined>;
  /** Records the pack of a user, unless one that is not deleted is recorded already. @returns the recorded pack */
  abstract keep(pack: ApplicationPack, at: Date): Promise<string>;
  abstract sounds(userId: string): Promise<ApplicationSound[]>;
  /**
   * Lists packs whose sounds are no longer needed: those of erased users, and those of users whose application was
   * declined, withdrawn or never sent since `before`. Packs of approved creators are theirs, and are not listed.
   */
  abstract outlived(before: Date, limit: number): Promise<ApplicationPack[]>;
  abstract forget(packId: string): Promise<void>;
}
