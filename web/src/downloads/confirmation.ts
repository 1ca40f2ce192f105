import { held } from '../held.js';

/** The content of the dialog "Confirm Download". */
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

const question = held<Confirmation | null>(null);
let settle: ((paid: boolean) => void) | null = null;

/** Shows the price and resolves when the visitor presses "Download" (true), or "Cancel" or closes it (false). */
export function askForPrice(asked: Omit<Confirmation, 'busy'>): Promise<boolean> {
  settle?.(false);
  question.set({ ...asked, busy: false });
  return new Promise((resolve) => (settle = resolve));
}

/** The visitor's answer. After "Download" the dialog stays, busy, until it is closed or asks again. */
export function answerPrice(agreed: boolean): void {
  const shown = question.get();
  if (!shown || shown.busy) return;
  question.set(agreed ? { ...shown, busy: true } : null);
  settle?.(agreed);
  settle = null;
}

/** Closes the dialog. */
export function closeConfirmation(): void {
  settle?.(false);
  settle = null;
  question.set(null);
}

/** The open dialog's content; null while it is closed. */
export const useConfirmation = question.use;
