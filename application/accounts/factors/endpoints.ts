import * as z from 'zod';
import { exactText } from '../../shared/contract.js';
import { endpoint } from '../../shared/endpoint.js';
import { SignedIn } from '../contract.js';
import * as contract from './contract.js';

const open = { tag: 'Accounts', access: 'public', rateLimit: 'proof' } as const;
const own = { tag: 'Accounts', access: 'user' } as const;
const fresh = { ...own, freshSignIn: true, rateLimit: 'confirm' } as const;
const passkeyId = { id: exactText().min(1).max(2_000) };

export const askSecondFactor = endpoint('POST /api/auth/second-factor/options', {
  ...open,
  summary: 'Returns the second factors of a pending sign-in, and a passkey challenge',
  answers: { 200: contract.SecondFactorQuestion },
  problems: ['SecondFactorExpired'],
});

export const giveSecondFactor = endpoint('POST /api/auth/second-factor', {
  ...open,
  summary: 'Completes a sign-in with a passkey, app code or recovery code',
  body: contract.SecondFactorBody,
  answers: { 200: SignedIn },
  problems: ['SecondFactorExpired', 'WrongSecondFactor', 'NotSignedIn'],
});

export const askPasskey = endpoint('POST /api/auth/passkey/options', {
  ...open,
  summary: 'Returns a challenge for any passkey, which identifies the user',
  answers: { 200: contract.PasskeyQuestion },
  problems: ['NotFound'],
});

export const signInByPasskey = endpoint('POST /api/auth/passkey', {
  ...open,
  summary: 'Starts a session with a passkey alone, which counts as both factors',
  body: z.strictObject({ passkey: contract.PasskeyAssertion }),
  answers: { 200: SignedIn },
  problems: ['WrongSecondFactor', 'NotSignedIn'],
});

export const askConfirmation = endpoint('POST /api/auth/confirm/options', {
  ...own,
  summary: 'Returns a passkey challenge, to confirm without the password',
  answers: { 200: contract.SecondFactorQuestion },
});

export const listFactors = endpoint('GET /api/me/factors', {
  ...own,
  summary: 'Lists the second factors of the caller',
  answers: { 200: contract.Factors },
});

export const orderPasskey = endpoint('POST /api/me/passkeys/options', {
  ...fresh,
  summary: 'Returns options for creating a passkey',
  answers: { 200: contract.PasskeyOrder },
  problems: ['PasskeyRefused'],
});

export const addPasskey = endpoint('POST /api/me/passkeys', {
  ...fresh,
  summary: 'Adds a new passkey',
  body: z.strictObject({
    passkey: contract.PasskeyAttestation,
    /** Defaults to the name of the browser. */
    name: contract.PasskeyName.optional(),
  }),
  answers: { 201: contract.PasskeyItem },
  problems: ['PasskeyRefused'],
});

export const renamePasskey = endpoint('PATCH /api/me/passkeys/:id', {
  ...own,
  summary: 'Renames a passkey',
  params: passkeyId,
  body: contract.RenamePasskeyBody,
  answers: { 204: null },
  problems: ['NotFound'],
});

export const removePasskey = endpoint('DELETE /api/me/passkeys/:id', {
  ...fresh,
  summary: 'Removes a passkey',
  params: passkeyId,
  answers: { 204: null },
  problems: ['NotFound', 'LastSecondFactor'],
});

export const orderApp = endpoint('POST /api/me/authenticator-app', {
  ...fresh,
  summary: 'Creates a secret for an authenticator app; one of its codes activates it',
  /** The secret in base32, and the address in its QR code. */
  answers: { 201: z.object({ secret: z.string(), uri: z.string() }) },
});

export const confirmApp = endpoint('POST /api/me/authenticator-app/confirm', {
  ...fresh,
  summary: 'Activates the authenticator app, and removes an earlier one',
  body: contract.CodeBody,
  answers: { 204: null },
  problems: ['WrongSecondFactor'],
});

export const removeApp = endpoint('DELETE /api/me/authenticator-app', {
  ...fresh,
  summary: 'Removes the authenticator app',
  answers: { 204: null },
  problems: ['NotFound', 'LastSecondFactor'],
});

export const issueRecoveryCodes = endpoint('POST /api/me/recovery-codes', {
  ...fresh,
  summary: 'Creates ten recovery codes, shown only once, and revokes earlier ones',
  answers: { 201: z.object({ codes: z.array(z.string()) }) },
  problems: ['NoSecondFactor'],
});
