import { held } from '../held.js';

export type SignInMode = 'sign-in' | 'sign-up';

export interface SignInRequest {
  mode: SignInMode;
  /** Why the visitor should sign in. Absent if the visitor opened the dialog. */
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
