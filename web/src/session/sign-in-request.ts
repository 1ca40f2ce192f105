import { useSyncExternalStore } from 'react';

export type SignInMode = 'sign-in' | 'sign-up';

export interface SignInRequest {
  mode: SignInMode;
  /** Why it is asked, when the visitor did not ask. */
  reason?: string;
}

let request: SignInRequest | null = null;
const listeners = new Set<() => void>();

function put(next: SignInRequest | null): void {
  request = next;
  listeners.forEach((listener) => listener());
}

/** Opens the sign-in dialog over the page. */
export function openSignIn(mode: SignInMode = 'sign-in', reason?: string): void {
  put({ mode, reason });
}

/** Closes the sign-in dialog. */
export function closeSignIn(): void {
  put(null);
}

/** Calls back when the dialog closes, until the returned function is called. */
export function onSignInClosed(listener: () => void): () => void {
  const hear = () => request === null && listener();
  listeners.add(hear);
  return () => listeners.delete(hear);
}

/** What the open dialog is to ask, null while it is closed. */
export function useSignInRequest(): SignInRequest | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => request,
    () => null,
  );
}
