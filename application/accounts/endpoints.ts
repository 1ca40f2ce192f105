import * as z from 'zod';
import { IMAGE_LIMIT_BYTES, IMAGE_PROBLEMS } from '../media/values.js';
import { exactText } from '../shared/contract.js';
import { endpoint, multipart, sent } from '../shared/endpoint.js';
import {
  AvatarAnswer,
  ChangePasswordBody,
  ConfirmBody,
  EraseAnswer,
  EraseMeBody,
  ForgotPasswordBody,
  MeAnswer,
  ResetPasswordBody,
  SessionAnswer,
  SignedIn,
  SignInAnswer,
  SignInBody,
  SignUpAnswer,
  SignUpBody,
  TokenBody,
  UpdateMeBody,
} from './contract.js';

const open = { tag: 'Accounts', access: 'public' } as const;
const own = { tag: 'Accounts', access: 'user' } as const;

export const signUp = endpoint('POST /api/auth/sign-up', {
  ...open,
  summary: 'Creates an account, and a session unless the address must be confirmed first',
  body: SignUpBody,
  answers: { 201: SignUpAnswer },
  problems: ['WeakPassword', 'DisplayNameTaken', 'NotSignedIn'],
  rateLimit: 'sign-up',
});

export const signIn = endpoint('POST /api/auth/sign-in', {
  ...open,
  summary: 'Starts a session, or asks for a second factor',
  body: SignInBody,
  answers: { 200: SignInAnswer },
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
  answers: { 200: SignedIn },
  problems: ['NotSignedIn'],
});

export const readSession = endpoint('GET /api/auth/session', {
  ...open,
  summary: 'Returns the signed-in user',
  answers: { 200: SessionAnswer },
});

export const verifyEmail = endpoint('POST /api/auth/verify-email', {
  ...open,
  summary: 'Confirms an address with a mailed token',
  body: TokenBody,
  answers: { 204: null },
  problems: ['TokenInvalid', 'EmailTaken'],
  rateLimit: 'proof',
});

export const undoEmail = endpoint('POST /api/auth/undo-email', {
  ...open,
  summary: 'Restores the former address of an account, ends every session and removes every factor',
  body: TokenBody,
  answers: { 204: null },
  problems: ['TokenInvalid', 'EmailTaken'],
  rateLimit: 'proof',
});

export const forgotPassword = endpoint('POST /api/auth/password/forgot', {
  ...open,
  summary: 'Mails a password reset link if the account exists',
  body: ForgotPasswordBody,
  answers: { 202: z.object({}) },
  rateLimit: 'reset',
});

export const resetPassword = endpoint('POST /api/auth/password/reset', {
  ...open,
  summary: 'Sets a new password with a mailed token, and ends every session',
  body: ResetPasswordBody,
  answers: { 204: null },
  problems: ['WeakPassword', 'TokenInvalid'],
  rateLimit: 'proof',
});

export const changePassword = endpoint('PUT /api/auth/password', {
  ...own,
  summary: 'Changes the password',
  body: ChangePasswordBody,
  answers: { 204: null },
  problems: ['WeakPassword', 'WrongPassword'],
  rateLimit: 'confirm',
});

export const confirm = endpoint('POST /api/auth/confirm', {
  ...own,
  summary: 'Confirms the password or a second factor again, for actions that need a fresh sign-in',
  body: ConfirmBody,
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
  body: UpdateMeBody,
  answers: { 200: MeAnswer },
  problems: ['FreshSignInRequired', 'CreatorSuspended', 'DisplayNameTaken'],
});

export const replaceAvatar = endpoint('PUT /api/me/avatar', {
  ...own,
  summary: 'Stores a picture of the caller',
  body: multipart(IMAGE_LIMIT_BYTES, { image: 'file' }),
  answers: { 200: AvatarAnswer },
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
  body: EraseMeBody,
  answers: { 200: EraseAnswer, 204: null },
  status: 204,
  problems: ['PayoutOwed', 'LastAdministrator', 'ChangePending', 'ChangeRefused', 'PaymentsUnavailable'],
  freshSignIn: true,
});
