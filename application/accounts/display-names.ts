import type { Outcome } from '../../domain/shared/decision.js';

/** Another creator has a name that looks the same, or it is reserved. */
export type NameTaken = { code: 'DisplayNameTaken' };

/** `wasVerified`: the former name was shown as verified. The new one is not. */
export type NameOutcome = Outcome<{ wasVerified: boolean }, NameTaken>;

/** Display names. Only names of creators and applicants are public, so only those must have unique skeletons. */
export abstract class DisplayNames {
  /** Changes the name, which becomes unverified. A verified former name is kept for review. */
  abstract choose(userId: string, displayName: string): Promise<NameOutcome>;
  /**
   * Reserves the current name of an applicant or creator. Idempotent.
   * @returns the name; undefined if it is taken
   * @throws AccountErased
   */
  abstract claim(userId: string): Promise<string | undefined>;
  abstract release(userId: string): Promise<void>;
  /** Shows the creator as verified while the name equals `name`; with null, never. Ends a pending review. */
  abstract setVerified(userId: string, name: string | null): Promise<void>;
}
