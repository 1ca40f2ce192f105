import { useSyncExternalStore } from 'react';

export type SignInMode = 'sign-in' | 'sign-up';

let mode: SignInMode | null = null;
const listeners = new Set<() => void>();

function put(next: SignInMode | null): void {
  mode = next;
  listeners.forEach((listener) => listener());
}

/** Opens the sign-in dialog over the page. */
export function openSignIn(next: SignInMode = 'sign-in'): void {
  put(next);
}

/** Closes the sign-in dialog. */
export function closeSignIn(): void {
  put(null);
}

/** The mode of the open dialog, null while it is closed. */
export function useSignInRequest(): SignInMode | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => mode,
  );
}
