import type { PasskeyAssertion, PasskeyAttestation } from './contract.js';

/** What an authenticator reports about a new passkey. */
export interface NewPasskey {
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  backedUp: boolean;
}

/** The context that an answer must match. */
export interface PasskeyContext {
  challenge: string;
  origin: string;
  /** Host name of the site. */
  rpId: string;
}

/** Verifies the answers of authenticators. Each must state that the authenticator verified the user. */
export abstract class PasskeyVerifier {
  abstract made(attestation: PasskeyAttestation, context: PasskeyContext): Promise<NewPasskey | undefined>;
  /** @returns the authenticator's counter; undefined if this passkey did not sign the assertion */
  abstract signed(
    assertion: PasskeyAssertion,
    publicKey: Uint8Array<ArrayBuffer>,
    context: PasskeyContext,
  ): Promise<{ counter: number } | undefined>;
}
