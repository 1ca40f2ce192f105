import type { NewPasskey } from './passkey-verifier.js';

export interface Passkey extends NewPasskey {
  userId: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Passkeys, and the challenges that they answer. */
export abstract class PasskeyStore {
  abstract keepChallenge(challenge: string, purpose: string, expiresAt: Date): Promise<void>;
  /** Uses it up. @returns false when it is unknown, for something else, or too old */
  abstract useChallenge(challenge: string, purpose: string, now: Date): Promise<boolean>;
  /** The oldest first. */
  abstract of(userId: string): Promise<Passkey[]>;
  abstract find(credentialId: string): Promise<Passkey | undefined>;
  /** @returns false when somebody has this one already */
  abstract add(passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean>;
  abstract rename(userId: string, credentialId: string, name: string): Promise<boolean>;
  abstract remove(userId: string, credentialId: string): Promise<boolean>;
  /** @returns false when it counted as far before: there are two of it */
  abstract used(credentialId: string, counter: number, now: Date): Promise<boolean>;
}

/** The authenticator app and the recovery codes. */
export abstract class CodeStore {
  /** The new app replaces one that waits; one in use stays until this one is confirmed. */
  abstract keepApp(userId: string, sealedSecret: Buffer, now: Date): Promise<void>;
  abstract app(
    userId: string,
    state: 'waiting' | 'confirmed',
  ): Promise<{ sealedSecret: Buffer; createdAt: Date } | undefined>;
  /** The same secret under another key; nothing where it was replaced meanwhile. */
  abstract resealApp(userId: string, from: Buffer, to: Buffer): Promise<void>;
  /** @param step of the code that confirms it, which is used by that */
  abstract confirmApp(userId: string, step: number): Promise<void>;
  /** @returns false when that step, or a later one, was used before */
  abstract useStep(userId: string, step: number): Promise<boolean>;
  abstract removeApp(userId: string): Promise<boolean>;
  abstract replaceRecoveryCodes(userId: string, hashes: readonly string[], now: Date): Promise<void>;
  /** @returns how many are left; undefined: there is no such code, or it was used */
  abstract useRecoveryCode(userId: string, hash: string, now: Date): Promise<number | undefined>;
  abstract recoveryCodes(userId: string): Promise<{ left: number; createdAt: Date } | undefined>;
  /** Removes app, passkeys and codes. */
  abstract removeAll(userId: string): Promise<void>;
}

export interface PendingSignIn {
  userId: string;
  authenticatedAt: Date | null;
}

/** Sign-ins whose first proof was right. */
export abstract class PendingSignInStore {
  abstract start(tokenHash: string, pending: PendingSignIn, expiresAt: Date): Promise<void>;
  abstract find(tokenHash: string, now: Date): Promise<PendingSignIn | undefined>;
  /** Counts a proof before it is looked at. @returns undefined when it has ended, or had as many as it may */
  abstract attempt(
    tokenHash: string,
    now: Date,
    most: number,
  ): Promise<(PendingSignIn & { attempts: number }) | undefined>;
  /** @returns false when it has ended before */
  abstract end(tokenHash: string): Promise<boolean>;
}
