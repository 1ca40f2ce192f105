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

export const onSignInClosed = (listener: () => void): (() => void) =>
  request.subscribe(() => request.get() === null && listener());

export const useSignInRequest = request.use;
