import type { PasskeyAssertion, PasskeyAttestation } from './contract.js';

export interface NewPasskey {
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  backedUp: boolean;
}

export interface PasskeyContext {
  challenge: string;
  origin: string;
  /** Host name of the site. */
  rpId: string;
}

/** Verifies answers of authenticators. Refuses answers without a verification of the user, such as a PIN. */
export abstract class PasskeyVerifier {
  abstract made(attestation: PasskeyAttestation, context: PasskeyContext): Promise<NewPasskey | undefined>;
  /** @returns the authenticator's counter; undefined if the passkey did not sign the assertion */
  abstract signed(
    assertion: PasskeyAssertion,
    publicKey: Uint8Array<ArrayBuffer>,
    context: PasskeyContext,
  ): Promise<{ counter: number } | undefined>;
}

export interface Passkey extends NewPasskey {
  userId: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export abstract class PasskeyStore {
  abstract keepChallenge(challenge: string, purpose: string, expiresAt: Date): Promise<void>;
  /** Uses up a challenge. @returns false if the challenge is unknown, expired or for another purpose */
  abstract useChallenge(challenge: string, purpose: string, now: Date): Promise<boolean>;
  /** Returns the user's passkeys, oldest first. */
  abstract of(userId: string): Promise<Passkey[]>;
  abstract find(credentialId: string): Promise<Passkey | undefined>;
  /** @returns false if an account already has this passkey */
  abstract add(passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean>;
  abstract rename(userId: string, credentialId: string, name: string): Promise<boolean>;
  abstract remove(userId: string, credentialId: string): Promise<boolean>;
  /**
   * Stores the counter. @returns false if it did not increase, unless it is always 0 as for synced passkeys, which
   * shows that the passkey was copied
   */
  abstract used(credentialId: string, counter: number, now: Date): Promise<boolean>;
}

export abstract class CodeStore {
  /** Stores a new app, which waits for confirmation. A confirmed app stays in use until then. */
  abstract keepApp(userId: string, sealedSecret: Buffer, now: Date): Promise<void>;
  abstract app(
    userId: string,
    state: 'waiting' | 'confirmed',
  ): Promise<{ sealedSecret: Buffer; createdAt: Date } | undefined>;
  /** Stores the secret as sealed with a newer key. Does nothing if the secret was replaced in the meantime. */
  abstract resealApp(userId: string, from: Buffer, to: Buffer): Promise<void>;
  /** @param step the time step of the confirming code, which counts as used */
  abstract confirmApp(userId: string, step: number): Promise<void>;
  /** Uses up a time step. @returns false if this step or a later one was already used */
  abstract useStep(userId: string, step: number): Promise<boolean>;
  abstract removeApp(userId: string): Promise<boolean>;
  abstract replaceRecoveryCodes(userId: string, hashes: readonly string[], now: Date): Promise<void>;
  /** Uses up a recovery code. @returns the number of codes left; undefined if the code is unknown or used */
  abstract useRecoveryCode(userId: string, hash: string, now: Date): Promise<number | undefined>;
  abstract recoveryCodes(userId: string): Promise<{ left: number; createdAt: Date } | undefined>;
  abstract removeAll(userId: string): Promise<void>;
}

export interface PendingSignIn {
  userId: string;
  authenticatedAt: Date | null;
}

export abstract class PendingSignInStore {
  abstract start(tokenHash: string, pending: PendingSignIn, expiresAt: Date): Promise<void>;
  abstract find(tokenHash: string, now: Date): Promise<PendingSignIn | undefined>;
  /**
   * Counts an attempt before its proof is
   * checked. @returns undefined if the sign-in has ended or no attempts are left
   */
  abstract attempt(
    tokenHash: string,
    now: Date,
    most: number,
  ): Promise<(PendingSignIn & { attempts: number }) | undefined>;
  /** @returns false if a concurrent request has already ended the sign-in */
  abstract end(tokenHash: string): Promise<boolean>;
}
