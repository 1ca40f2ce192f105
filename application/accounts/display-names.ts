/** Another creator has a name that looks the same, or it is reserved. */
export type NameTaken = { code: 'DisplayNameTaken' };

export type NameOutcome =
  /** `wasVerified`: the former name was shown as verified, the new one is not. */
  { accepted: true; wasVerified: boolean } | { accepted: false; rejection: NameTaken };

/** Names of people. Only names of creators and applicants are public, so only they are unique by their skeleton. */
export abstract class DisplayNames {
  /** Changes the name. The former one is kept for review if it was verified, and the new one is not verified. */
  abstract choose(userId: string, displayName: string): Promise<NameOutcome>;
  /**
   * Reserves the present name for an applicant or creator. Repeating it changes nothing.
   * @returns the name; undefined if it is taken
   * @throws AccountErased
   */
  abstract claim(userId: string): Promise<string | undefined>;
  abstract release(userId: string): Promise<void>;
  /** Shows the creator as verified while the name is this one; null: not at all. Either ends a review. */
  abstract setVerified(userId: string, name: string | null): Promise<void>;
}
