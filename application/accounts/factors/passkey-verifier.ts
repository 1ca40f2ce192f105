import type { PasskeyAssertion, PasskeyAttestation } from './contract.js';

/** What an authenticator tells of a passkey that it has made. */
export interface NewPasskey {
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  backedUp: boolean;
}

/** Where and for what an answer must have been made. */
export interface PasskeyContext {
  challenge: string;
  origin: string;
  /** The name of the site. */
  rpId: string;
}

/** Checks what authenticators sign; each answer must say that the person was recognised. */
export abstract class PasskeyVerifier {
  abstract made(attestation: PasskeyAttestation, context: PasskeyContext): Promise<NewPasskey | undefined>;
  /** @returns how far the authenticator has counted; undefined: this passkey did not sign that */
  abstract signed(
    assertion: PasskeyAssertion,
    publicKey: Uint8Array<ArrayBuffer>,
    context: PasskeyContext,
  ): Promise<{ counter: number } | undefined>;
}
