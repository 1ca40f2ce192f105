import { useSyncExternalStore } from 'react';

/** The question whether it is really the owner who asks for something. */
export interface ConfirmRequest {
  /** How this person signs in. */
  method: 'password' | 'google';
  settle: (confirmed: boolean) => void;
}

let request: ConfirmRequest | null = null;
let asking: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function put(next: ConfirmRequest | null): void {
  request = next;
  listeners.forEach((listener) => listener());
}

/** Asks for the password over the page. @returns true once it was given, false when the question was closed */
export function askForPassword(methods: unknown): Promise<boolean> {
  const method = Array.isArray(methods) && !methods.includes('password') ? 'google' : 'password';
  asking ??= new Promise<boolean>((settle) => put({ method, settle })).finally(() => (asking = null));
  return asking;
}

/** Closes the question with its answer. */
export function settleConfirm(confirmed: boolean): void {
  const settled = request;
  put(null);
  settled?.settle(confirmed);
}

/** The question now on screen; for the one host that renders it. */
export function useConfirmRequest(): ConfirmRequest | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => request,
    () => null,
  );
}
