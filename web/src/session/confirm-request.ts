import { held } from '../held.js';

export interface ConfirmRequest {
  /**
   * The ways in which the user can prove who they are: `passkey`, `app` and `password`. An account without a password
   * has `google` instead.
   */
  methods: readonly string[];
  settle: (confirmed: boolean) => void;
}

const request = held<ConfirmRequest | null>(null);
let asking: Promise<boolean> | null = null;

/** Asks for a proof in a dialog over the page. @returns true once the user gave it, false if the dialog was closed */
export function askForProof(methods: unknown): Promise<boolean> {
  asking ??= new Promise<boolean>((settle) =>
    request.set({ methods: Array.isArray(methods) ? methods : ['password'], settle }),
  ).finally(() => (asking = null));
  return asking;
}

export function settleConfirm(confirmed: boolean): void {
  const settled = request.get();
  request.set(null);
  settled?.settle(confirmed);
}

export const useConfirmRequest = request.use;
