import { SecondFactorNeeded } from './factors/contract.js';
import * as z from 'zod';
import { IMAGE_LIMIT_BYTES, IMAGE_PROBLEMS } from '../media/values.js';
import { exactText, ReasonBody, Id } from '../shared/contract.js';
import { endpoint, multipart, sent } from '../shared/endpoint.js';
import * as contract from './contract.js';

const open = { tag: 'Accounts', access: 'public' } as const;
const own = { tag: 'Accounts', access: 'user' } as const;

export const signUp = endpoint('POST /api/auth/sign-up', {
  ...open,
  summary: 'Creates an account, and a session unless the address must be confirmed first',
  body: contract.SignUpBody,
  answers: { 201: z.union([contract.SignedIn, contract.ConfirmationNeeded]) },
  problems: ['WeakPassword', 'DisplayNameTaken', 'NotSignedIn'],
  rateLimit: 'sign-up',
});

export const signIn = endpoint('POST /api/auth/sign-in', {
  ...open,
  summary: 'Starts a session, or asks for a second factor',
  body: contract.SignInBody,
  answers: { 200: z.union([contract.SignedIn, SecondFactorNeeded]) },
  problems: ['InvalidCredentials', 'EmailNotConfirmed', 'NotSignedIn'],
  rateLimit: 'sign-in',
});

export const signOut = endpoint('POST /api/auth/sign-out', {
  ...open,
  summary: 'Ends the session',
  answers: { 204: null },
});

export const refresh = endpoint('POST /api/auth/refresh', {
  ...open,
  summary: 'Renews the session with a new token',
  answers: { 200: contract.SignedIn },
  problems: ['NotSignedIn'],
});

export const readSession = endpoint('GET /api/auth/session', {
  ...open,
  summary: 'Returns the signed-in user',
  answers: { 200: contract.SessionAnswer },
});

export const verifyEmail = endpoint('POST /api/auth/verify-email', {
  ...open,
  summary: 'Confirms an address with a mailed token',
  body: contract.TokenBody,
  answers: { 204: null },
  problems: ['TokenInvalid', 'EmailTaken'],
  rateLimit: 'proof',
});

export const undoEmail = endpoint('POST /api/auth/undo-email', {
  ...open,
  summary: 'Restores the former address of an account, ends every session and removes every factor',
  body: contract.TokenBody,
  answers: { 204: null },
  problems: ['TokenInvalid', 'EmailTaken'],
  rateLimit: 'proof',
});

export const forgotPassword = endpoint('POST /api/auth/password/forgot', {
  ...open,
  summary: 'Mails a password reset link if the account exists',
  body: contract.ForgotPasswordBody,
  answers: { 202: z.object({}) },
  rateLimit: 'reset',
});

export const resetPassword = endpoint('POST /api/auth/password/reset', {
  ...open,
  summary: 'Sets a new password with a mailed token, and ends every session',
  body: contract.ResetPasswordBody,
  answers: { 204: null },
  problems: ['WeakPassword', 'TokenInvalid'],
  rateLimit: 'proof',
});

export const changePassword = endpoint('PUT /api/auth/password', {
  ...own,
  summary: 'Changes the password',
  body: contract.ChangePasswordBody,
  answers: { 204: null },
  problems: ['WeakPassword', 'WrongPassword'],
  rateLimit: 'confirm',
});

export const confirm = endpoint('POST /api/auth/confirm', {
  ...own,
  summary: 'Confirms the password or a second factor again, for actions that need a fresh sign-in',
  body: contract.ConfirmBody,
  answers: { 204: null },
  problems: ['WrongPassword', 'WrongSecondFactor'],
  rateLimit: 'confirm',
});

export const startGoogle = endpoint('GET /api/auth/google/start', {
  ...open,
  summary: 'Redirects to the sign-in page of Google',
  query: z.object({ returnTo: exactText().max(2_000).optional() }),
  answers: { 303: sent() },
  problems: ['NotFound'],
});

export const finishGoogle = endpoint('GET /api/auth/google/callback', {
  ...open,
  summary: 'Completes a sign-in at Google and redirects to the page where it began',
  query: z.object({ code: exactText().max(4_000).optional(), state: exactText().max(200).optional() }),
  answers: { 303: sent() },
});

export const updateMe = endpoint('PATCH /api/me', {
  ...own,
  rateLimit: 'edit',
  summary: 'Changes name and address; a new address takes effect once confirmed',
  body: contract.UpdateMeBody,
  /** `emailToConfirm` becomes the address of the account once its owner follows the mailed link. */
  answers: { 200: z.object({ user: contract.User, emailToConfirm: z.string().optional() }) },
  problems: ['FreshSignInRequired', 'CreatorSuspended', 'DisplayNameTaken'],
});

export const replaceAvatar = endpoint('PUT /api/me/avatar', {
  ...own,
  summary: 'Stores a picture of the caller',
  body: multipart(IMAGE_LIMIT_BYTES, { image: 'file' }),
  answers: { 200: z.object({ avatarUrl: z.string() }) },
  problems: [...IMAGE_PROBLEMS, 'CreatorSuspended'],
  rateLimit: 'picture',
});

export const exportMe = endpoint('GET /api/me/export', {
  ...own,
  rateLimit: 'export',
  summary: 'Returns all stored data about the caller',
  freshSignIn: true,
  answers: { 200: z.record(z.string(), z.unknown()) },
});

export const eraseMe = endpoint('DELETE /api/me', {
  ...own,
  summary: 'Erases the account; returns a claim code if money is owed and the body requests one',
  /** `claimPayout` keeps owed money payable against a claim code, so that it need not be paid out first. */
  body: z.strictObject({ claimPayout: z.boolean().optional() }).optional(),
  answers: { 200: contract.EraseAnswer, 204: null },
  status: 204,
  problems: ['PayoutOwed', 'LastAdministrator', 'ChangePending', 'ChangeRefused', 'PaymentsUnavailable'],
  freshSignIn: true,
});

const admin = { tag: 'Administration', access: 'admin', params: { userId: Id } } as const;

export const listSessions = endpoint('GET /api/me/sessions', {
  ...own,
  summary: "Lists the caller's sessions, last used first",
  answers: { 200: contract.SessionList },
});

export const endSession = endpoint('DELETE /api/me/sessions/:id', {
  ...own,
  summary: "Ends one of the caller's sessions",
  params: { id: Id },
  answers: { 204: null },
  problems: ['NotFound'],
});

export const endOtherSessions = endpoint('DELETE /api/me/sessions', {
  ...own,
  summary: "Ends the caller's other sessions",
  answers: { 204: null },
});

export const listSessionsOf = endpoint('GET /api/admin/people/:userId/sessions', {
  ...admin,
  summary: "Lists a user's sessions",
  answers: { 200: contract.SessionList },
});

export const endSessionsOf = endpoint('DELETE /api/admin/people/:userId/sessions', {
  ...admin,
  freshSignIn: true,
  summary: 'Ends every session of a user, and records the reason',
  body: ReasonBody,
  answers: { 204: null },
  problems: ['NotFound'],
});
