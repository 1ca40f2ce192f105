import { held } from '../held.js';

/** The question whether the owner makes the request. */
export interface ConfirmRequest {
  /** How this person signs in. */
  method: 'password' | 'google';
  settle: (confirmed: boolean) => void;
}

const request = held<ConfirmRequest | null>(null);
let asking: Promise<boolean> | null = null;

/** Asks for the password over the page. @returns true once it was given, false if the dialog was closed */
export function askForPassword(methods: unknown): Promise<boolean> {
  const method = Array.isArray(methods) && !methods.includes('password') ? 'google' : 'password';
  asking ??= new Promise<boolean>((settle) => request.set({ method, settle })).finally(() => (asking = null));
  return asking;
}

/** Closes the question with its answer. */
export function settleConfirm(confirmed: boolean): void {
  const settled = request.get();
  request.set(null);
  settled?.settle(confirmed);
}

/** The question now on screen; for the one host that renders it. */
export const useConfirmRequest = request.use;
