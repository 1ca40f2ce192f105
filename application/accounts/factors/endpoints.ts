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
  summary: 'What a sign-in waits for after the right password, and the question for a passkey',
  answers: { 200: contract.SecondFactorQuestion },
  problems: ['SecondFactorExpired'],
});

export const giveSecondFactor = endpoint('POST /api/auth/second-factor', {
  ...open,
  summary: 'Begins the session by a passkey, a code of the app or a recovery code',
  body: contract.SecondFactorBody,
  answers: { 200: SignedIn },
  problems: ['SecondFactorExpired', 'WrongSecondFactor', 'NotSignedIn'],
});

export const askPasskey = endpoint('POST /api/auth/passkey/options', {
  ...open,
  summary: 'The question for a passkey that says by itself who signs in',
  answers: { 200: contract.PasskeyQuestion },
  problems: ['NotFound'],
});

export const signInByPasskey = endpoint('POST /api/auth/passkey', {
  ...open,
  summary: 'Begins a session by a passkey alone, which counts as both factors',
  body: contract.PasskeyBody,
  answers: { 200: SignedIn },
  problems: ['WrongSecondFactor', 'NotSignedIn'],
});

export const askConfirmation = endpoint('POST /api/auth/confirm/options', {
  ...own,
  summary: 'The question for a passkey, instead of the password',
  answers: { 200: contract.SecondFactorQuestion },
});

export const listFactors = endpoint('GET /api/me/factors', {
  ...own,
  summary: 'What the caller signs in with beside the password',
  answers: { 200: contract.Factors },
});

export const orderPasskey = endpoint('POST /api/me/passkeys/options', {
  ...fresh,
  summary: 'What a browser needs to make a passkey',
  answers: { 200: contract.PasskeyOrder },
  problems: ['PasskeyRefused'],
});

export const addPasskey = endpoint('POST /api/me/passkeys', {
  ...fresh,
  summary: 'Adds the passkey that was made',
  body: contract.AddPasskeyBody,
  answers: { 201: contract.PasskeyItem },
  problems: ['PasskeyRefused'],
});

export const renamePasskey = endpoint('PATCH /api/me/passkeys/:id', {
  ...own,
  summary: 'Gives a passkey another name',
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
  summary: 'A secret for an authenticator app, which counts once a code of it was given',
  answers: { 201: contract.AppSecret },
});

export const confirmApp = endpoint('POST /api/me/authenticator-app/confirm', {
  ...fresh,
  summary: 'Begins to ask for codes of the app, and forgets an earlier one',
  body: contract.CodeBody,
  answers: { 204: null },
  problems: ['WrongSecondFactor'],
});

export const removeApp = endpoint('DELETE /api/me/authenticator-app', {
  ...fresh,
  summary: 'Asks no longer for codes of the app',
  answers: { 204: null },
  problems: ['NotFound', 'LastSecondFactor'],
});

export const issueRecoveryCodes = endpoint('POST /api/me/recovery-codes', {
  ...fresh,
  summary: 'Ten recovery codes, shown this once; earlier ones count no longer',
  answers: { 201: contract.RecoveryCodes },
  problems: ['NoSecondFactor'],
});
