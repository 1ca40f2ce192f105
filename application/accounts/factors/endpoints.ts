import * as z from 'zod';
import { exactText } from '../../shared/contract.js';
import { endpointsOf } from '../../shared/endpoint.js';
import { SignedIn } from '../contract.js';
import * as contract from './contract.js';

const open = endpointsOf({ tag: 'Accounts', access: 'public', rateLimit: 'proof' });
const own = endpointsOf({ tag: 'Accounts', access: 'user' });
const fresh = endpointsOf({ tag: 'Accounts', access: 'user', freshSignIn: true, rateLimit: 'confirm' });
const passkeyId = { id: exactText().min(1).max(2_000) };

export const askSecondFactor = open('POST /api/auth/second-factor/options', {
  summary: 'Returns the second factors of a pending sign-in, and a passkey challenge',
  answers: { 200: contract.SecondFactorQuestion },
  problems: ['SecondFactorExpired'],
});

export const giveSecondFactor = open('POST /api/auth/second-factor', {
  summary: 'Completes a sign-in with a passkey, app code or recovery code',
  body: contract.SecondFactorBody,
  answers: { 200: SignedIn },
  problems: ['SecondFactorExpired', 'WrongSecondFactor', 'NotSignedIn'],
});

export const askPasskey = open('POST /api/auth/passkey/options', {
  summary: 'Returns a challenge for any passkey, which identifies the user',
  answers: { 200: contract.PasskeyQuestion },
  problems: ['NotFound'],
});

export const signInByPasskey = open('POST /api/auth/passkey', {
  summary: 'Starts a session with a passkey alone, which counts as both factors',
  body: z.strictObject({ passkey: contract.PasskeyAssertion }),
  answers: { 200: SignedIn },
  problems: ['WrongSecondFactor', 'NotSignedIn'],
});

export const askConfirmation = own('POST /api/auth/confirm/options', {
  summary: 'Returns a passkey challenge, to confirm without the password',
  answers: { 200: contract.SecondFactorQuestion },
});

export const listFactors = own('GET /api/me/factors', {
  summary: 'Lists the second factors of the caller',
  answers: { 200: contract.Factors },
});

export const orderPasskey = fresh('POST /api/me/passkeys/options', {
  summary: 'Returns options for creating a passkey',
  answers: { 200: contract.PasskeyOrder },
  problems: ['PasskeyRefused'],
});

export const addPasskey = fresh('POST /api/me/passkeys', {
  summary: 'Adds a new passkey',
  body: z.strictObject({
    passkey: contract.PasskeyAttestation,
    /** Defaults to the name of the browser. */
    name: contract.PasskeyName.optional(),
  }),
  answers: { 201: contract.PasskeyItem },
  problems: ['PasskeyRefused'],
});

export const renamePasskey = own('PATCH /api/me/passkeys/:id', {
  summary: 'Renames a passkey',
  params: passkeyId,
  body: contract.RenamePasskeyBody,
  answers: { 204: null },
  problems: ['NotFound'],
});

export const removePasskey = fresh('DELETE /api/me/passkeys/:id', {
  summary: 'Removes a passkey',
  params: passkeyId,
  answers: { 204: null },
  problems: ['NotFound', 'LastSecondFactor'],
});

export const orderApp = fresh('POST /api/me/authenticator-app', {
  summary: 'Creates a secret for an authenticator app; one of its codes activates it',
  /** `secret` is in base32. The QR code contains `uri`. */
  answers: { 201: z.object({ secret: z.string(), uri: z.string() }) },
});

export const confirmApp = fresh('POST /api/me/authenticator-app/confirm', {
  summary: 'Activates the authenticator app, and removes an earlier one',
  body: contract.CodeBody,
  answers: { 204: null },
  problems: ['WrongSecondFactor'],
});

export const removeApp = fresh('DELETE /api/me/authenticator-app', {
  summary: 'Removes the authenticator app',
  answers: { 204: null },
  problems: ['NotFound', 'LastSecondFactor'],
});

export const issueRecoveryCodes = fresh('POST /api/me/recovery-codes', {
  summary: 'Creates ten recovery codes, shown only once, and revokes earlier ones',
  answers: { 201: z.object({ codes: z.array(z.string()) }) },
  problems: ['NoSecondFactor'],
});
