import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { PasskeyAssertion, PasskeyAttestation } from '../../../application/accounts/factors/contract.js';
import {
  PasskeyVerifier,
  type NewPasskey,
  type PasskeyContext,
} from '../../../application/accounts/factors/factor-stores.js';

const expected = ({ challenge, origin, rpId }: PasskeyContext) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
});

/** Returns undefined if the library throws, as it does for every refusal. */
const unlessRefused = <Value>(promise: Promise<Value>): Promise<Value | undefined> =>
  promise.catch(() => undefined);

export class SimpleWebAuthn implements PasskeyVerifier {
  async made(attestation: PasskeyAttestation, context: PasskeyContext): Promise<NewPasskey | undefined> {
    const { transports = [], ...signed } = attestation.response;
    const response = { ...attestation, response: signed, clientExtensionResults: {} };
    const result = await unlessRefused(verifyRegistrationResponse({ response, ...expected(context) }));
    if (!result?.verified) return undefined;
    const { credential, credentialBackedUp } = result.registrationInfo;
    const { id: credentialId, publicKey, counter } = credential;
    return { credentialId, publicKey, counter, transports, backedUp: credentialBackedUp };
  }

  async signed(assertion: PasskeyAssertion, publicKey: Uint8Array<ArrayBuffer>, context: PasskeyContext) {
    const { userHandle, ...signed } = assertion.response;
    const response = {
      ...assertion,
      response: { ...signed, ...(userHandle ? { userHandle } : {}) },
      clientExtensionResults: {},
    };
    // The counter is not checked here: the caller compares it, and notifies the owner if it went back.
    const credential = { id: assertion.id, publicKey, counter: 0 };
    const result = await unlessRefused(
      verifyAuthenticationResponse({ response, credential, ...expected(context) }),
    );
    return result?.verified ? { counter: result.authenticationInfo.newCounter } : undefined;
  }
}
