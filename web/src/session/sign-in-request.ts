import { held } from '../held.js';

export type SignInMode = 'sign-in' | 'sign-up';

export interface SignInRequest {
  mode: SignInMode;
  /** The reason why the dialog asks, if the visitor did not open it. */
  reason?: string;
}

const request = held<SignInRequest | null>(null);

export function openSignIn(mode: SignInMode = 'sign-in', reason?: string): void {
  request.set({ mode, reason });
}

export function closeSignIn(): void {
  request.set(null);
}

/** Calls the listener when the dialog closes, until the returned function is called. */
export function onSignInClosed(listener: () => void): () => void {
  return request.subscribe(() => request.get() === null && listener());
}

/** The content of the open dialog; null while it is closed. */
export const useSignInRequest = request.use;
