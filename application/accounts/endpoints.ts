import { SecondFactorNeeded } from './factors/contract.js';
import * as z from 'zod';
import { IMAGE_LIMIT_BYTES, IMAGE_PROBLEMS } from '../media/values.js';
import { exactText, ReasonBody, Id } from '../shared/contract.js';
import { endpointsOf, multipart, sent } from '../shared/endpoint.js';
import * as contract from './contract.js';

const open = endpointsOf({ tag: 'Accounts', access: 'public' });
const own = endpointsOf({ tag: 'Accounts', access: 'user' });

export const signUp = open('POST /api/auth/sign-up', {
  summary: 'Creates an account, and a session unless the address must be confirmed first',
  body: contract.SignUpBody,
  answers: { 201: z.union([contract.SignedIn, contract.ConfirmationNeeded]) },
  problems: ['WeakPassword', 'DisplayNameTaken', 'LegalTextChanged', 'NotSignedIn'],
  rateLimit: 'sign-up',
});

export const signIn = open('POST /api/auth/sign-in', {
  summary: 'Starts a session, or asks for a second factor',
  body: contract.SignInBody,
  answers: { 200: z.union([contract.SignedIn, SecondFactorNeeded]) },
  problems: ['InvalidCredentials', 'EmailNotConfirmed', 'NotSignedIn'],
  rateLimit: 'sign-in',
});

export const signOut = open('POST /api/auth/sign-out', {
  summary: 'Ends the session',
  answers: { 204: null },
});

export const refreshSession = open('POST /api/auth/refresh', {
  summary: 'Renews the session with a new token',
  answers: { 200: contract.SignedIn },
  problems: ['NotSignedIn'],
});

export const readSession = open('GET /api/auth/session', {
  summary: 'Returns the signed-in user',
  answers: { 200: contract.SessionAnswer },
});

export const verifyEmail = open('POST /api/auth/verify-email', {
  summary: 'Confirms an address with a mailed token; says so if the account gets first credits',
  body: contract.TokenBody,
  answers: { 200: contract.FirstCreditsAnswer, 204: null },
  status: 204,
  problems: ['TokenInvalid', 'EmailTaken'],
  rateLimit: 'proof',
});

export const undoEmail = open('POST /api/auth/undo-email', {
  summary: 'Restores the former address of an account, ends every session and removes every factor',
  body: contract.TokenBody,
  answers: { 204: null },
  problems: ['TokenInvalid', 'EmailTaken'],
  rateLimit: 'proof',
});

export const forgotPassword = open('POST /api/auth/password/forgot', {
  summary: 'Mails a password reset link if the account exists',
  body: contract.ForgotPasswordBody,
  answers: { 202: z.object({}) },
  rateLimit: 'reset',
});

export const resetPassword = open('POST /api/auth/password/reset', {
  summary: 'Sets a new password with a mailed token, and ends every session',
  body: contract.ResetPasswordBody,
  answers: { 204: null },
  problems: ['WeakPassword', 'TokenInvalid'],
  rateLimit: 'proof',
});

export const changePassword = own('PUT /api/auth/password', {
  summary: 'Changes the password',
  body: contract.ChangePasswordBody,
  answers: { 204: null },
  problems: ['WeakPassword', 'WrongPassword'],
  rateLimit: 'confirm',
});

export const confirmIdentity = own('POST /api/auth/confirm', {
  summary: 'Confirms the password or a second factor again, for actions that need a fresh sign-in',
  body: contract.ConfirmBody,
  answers: { 204: null },
  problems: ['WrongPassword', 'WrongSecondFactor'],
  rateLimit: 'confirm',
});

export const startGoogle = open('GET /api/auth/google/start', {
  summary: 'Redirects to the sign-in page of Google',
  query: z.object({ returnTo: exactText().max(2_000).optional() }),
  answers: { 303: sent() },
  problems: ['NotFound'],
});

export const finishGoogle = open('GET /api/auth/google/callback', {
  summary: 'Completes a sign-in at Google and redirects to the page where it began',
  query: z.object({ code: exactText().max(4_000).optional(), state: exactText().max(200).optional() }),
  answers: { 303: sent() },
});

export const updateMe = own('PATCH /api/me', {
  rateLimit: 'edit',
  summary:
    'Changes name and address; a new address takes effect once confirmed. An unconfirmed address gets its link again',
  body: contract.UpdateMeBody,
  /**
   * `emailToConfirm`: the address that a link was mailed to. A new address takes effect when its owner follows the
   * link.
   */
  answers: { 200: z.object({ user: contract.User, emailToConfirm: z.string().optional() }) },
  problems: ['FreshSignInRequired', 'CreatorSuspended', 'DisplayNameTaken'],
});

export const replaceAvatar = own('PUT /api/me/avatar', {
  summary: 'Stores a picture of the caller',
  body: multipart(IMAGE_LIMIT_BYTES, { image: 'file' }),
  answers: { 200: z.object({ avatarUrl: z.string() }) },
  problems: [...IMAGE_PROBLEMS, 'CreatorSuspended'],
  rateLimit: 'picture',
});

export const exportMe = own('GET /api/me/export', {
  rateLimit: 'export',
  summary: 'Returns all stored data about the caller',
  freshSignIn: true,
  answers: { 200: z.record(z.string(), z.unknown()) },
});

export const eraseMe = own('DELETE /api/me', {
  summary: 'Erases the account; returns a claim code if money is owed and the body requests one',
  /**
   * If we owe the user money, `claimPayout` erases the account and returns a code to claim the money. Without
   * `claimPayout`, the answer is `PayoutOwed`.
   */
  body: z.strictObject({ claimPayout: z.boolean().optional() }).optional(),
  answers: { 200: contract.EraseAnswer, 204: null },
  status: 204,
  problems: ['PayoutOwed', 'LastAdministrator', 'ChangePending', 'ChangeRefused', 'PaymentsUnavailable'],
  freshSignIn: true,
});

const admin = endpointsOf({ tag: 'Administration', access: 'admin', params: { userId: Id } });

export const listSessions = own('GET /api/me/sessions', {
  summary: "Lists the caller's sessions, last used first",
  answers: { 200: contract.SessionList },
});

export const endSession = own('DELETE /api/me/sessions/:id', {
  summary: "Ends one of the caller's sessions",
  params: { id: Id },
  answers: { 204: null },
  problems: ['NotFound'],
});

export const endOtherSessions = own('DELETE /api/me/sessions', {
  summary: "Ends the caller's other sessions",
  answers: { 204: null },
});

export const listSessionsOf = admin('GET /api/admin/people/:userId/sessions', {
  summary: "Lists a user's sessions",
  answers: { 200: contract.SessionList },
});

export const endSessionsOf = admin('DELETE /api/admin/people/:userId/sessions', {
  freshSignIn: true,
  summary: 'Ends every session of a user, and records the reason',
  body: ReasonBody,
  answers: { 204: null },
  problems: ['NotFound'],
});
