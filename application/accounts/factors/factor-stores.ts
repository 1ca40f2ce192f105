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

/** Verifies answers of authenticators. Refuses an answer unless the authenticator verified its user. */
export abstract class PasskeyVerifier {
  abstract made(attestation: PasskeyAttestation, context: PasskeyContext): Promise<NewPasskey | undefined>;
  /** @returns the authenticator's counter; undefined if this passkey did not sign the assertion */
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
  /** Consumes the challenge. @returns false if the challenge is unknown, expired or for another purpose */
  abstract useChallenge(challenge: string, purpose: string, now: Date): Promise<boolean>;
  /** Returns the user's passkeys, oldest first. */
  abstract of(userId: string): Promise<Passkey[]>;
  abstract find(credentialId: string): Promise<Passkey | undefined>;
  /** @returns false if any account already has this passkey */
  abstract add(passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean>;
  abstract rename(userId: string, credentialId: string, name: string): Promise<boolean>;
  abstract remove(userId: string, credentialId: string): Promise<boolean>;
  /** @returns false if the counter did not increase, which means that the passkey was copied */
  abstract used(credentialId: string, counter: number, now: Date): Promise<boolean>;
}

export abstract class CodeStore {
  /** Replaces an unconfirmed app. A confirmed app stays in use until the new one is confirmed. */
  abstract keepApp(userId: string, sealedSecret: Buffer, now: Date): Promise<void>;
  abstract app(
    userId: string,
    state: 'waiting' | 'confirmed',
  ): Promise<{ sealedSecret: Buffer; createdAt: Date } | undefined>;
  /** Stores the same secret under another key. Does nothing if the secret was replaced in the meantime. */
  abstract resealApp(userId: string, from: Buffer, to: Buffer): Promise<void>;
  /** @param step the time step of the code that confirms the app; this code counts as used */
  abstract confirmApp(userId: string, step: number): Promise<void>;
  /** @returns false if this step or a later one was already used */
  abstract useStep(userId: string, step: number): Promise<boolean>;
  abstract removeApp(userId: string): Promise<boolean>;
  abstract replaceRecoveryCodes(userId: string, hashes: readonly string[], now: Date): Promise<void>;
  /** @returns the number of codes left; undefined if the code is unknown or used */
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
  /** Counts a proof before it is checked. @returns undefined if the sign-in has ended, or has no attempts left */
  abstract attempt(
    tokenHash: string,
    now: Date,
    most: number,
  ): Promise<(PendingSignIn & { attempts: number }) | undefined>;
  /** @returns false if the sign-in had already ended */
  abstract end(tokenHash: string): Promise<boolean>;
}
