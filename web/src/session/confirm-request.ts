import { held } from '../held.js';

/** The question whether the owner makes the request. */
export interface ConfirmRequest {
  /** What this person can prove it with: `password` or `google`, `passkey`, `app`. */
  methods: readonly string[];
  settle: (confirmed: boolean) => void;
}

const request = held<ConfirmRequest | null>(null);
let asking: Promise<boolean> | null = null;

/** Asks for a proof over the page. @returns true once it was given, false if the dialog was closed */
export function askForProof(methods: unknown): Promise<boolean> {
  asking ??= new Promise<boolean>((settle) =>
    request.set({ methods: Array.isArray(methods) ? methods : ['password'], settle }),
  ).finally(() => (asking = null));
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
