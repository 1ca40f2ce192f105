import { held } from '../held.js';

export type SignInMode = 'sign-in' | 'sign-up';

export interface SignInRequest {
  mode: SignInMode;
  /** Why it is asked, when the visitor did not ask. */
  reason?: string;
}

const request = held<SignInRequest | null>(null);

/** Opens the sign-in dialog over the page. */
export function openSignIn(mode: SignInMode = 'sign-in', reason?: string): void {
  request.set({ mode, reason });
}

/** Closes the sign-in dialog. */
export function closeSignIn(): void {
  request.set(null);
}

/** Calls back when the dialog closes, until the returned function is called. */
export function onSignInClosed(listener: () => void): () => void {
  return request.subscribe(() => request.get() === null && listener());
}

/** What the open dialog is to ask, null while it is closed. */
export const useSignInRequest = request.use;
