import { useSyncExternalStore } from 'react';

/** What the dialog "Confirm Download" shows. */
export interface Confirmation {
  title: string;
  by: string;
  cover: { title: string; genre: string; artworkUrl: string | null };
  costCredits: number;
  /** Null while it is not known. */
  balanceCredits: number | null;
  /** The price shown before, when the server named another one. */
  formerCostCredits: number | null;
  /** The payment runs. */
  busy: boolean;
}

let shown: Confirmation | null = null;
let settle: ((paid: boolean) => void) | null = null;
const listeners = new Set<() => void>();

function put(next: Confirmation | null): void {
  shown = next;
  listeners.forEach((listener) => listener());
}

/** Shows the price and resolves when the visitor presses "Download" (true), or "Cancel" or closes it (false). */
export function askForPrice(question: Omit<Confirmation, 'busy'>): Promise<boolean> {
  settle?.(false);
  put({ ...question, busy: false });
  return new Promise((resolve) => (settle = resolve));
}

/** The visitor's answer. After "Download" the dialog stays, busy, until it is closed or asks again. */
export function answerPrice(agreed: boolean): void {
  if (!shown || shown.busy) return;
  put(agreed ? { ...shown, busy: true } : null);
  settle?.(agreed);
  settle = null;
}

/** Closes the dialog. */
export function closeConfirmation(): void {
  settle?.(false);
  settle = null;
  put(null);
}

/** The open question, null while there is none. */
export function useConfirmation(): Confirmation | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
    () => null,
  );
}
