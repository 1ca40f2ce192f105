import type { Sample } from '../../../application/catalogue/contract.js';
import { held } from '../held.js';
import { toast } from '../ui/overlays/toast.js';

export interface Confirmation {
  id: string;
  title: string;
  by: string;
  cover: { title: string; genre: string; artworkUrl: string | null };
  /** The samples that the visitor gets. The dialog counts their MIDI files and stems. */
  samples: readonly Pick<Sample, 'hasMidi' | 'hasStems'>[];
  /** The form in which several samples arrive, such as "one ZIP". */
  delivered?: string;
  /** The titles of those of `samples` that cost nothing, because the visitor owns or made them. */
  freeTitles?: readonly string[];
  /** A sentence about the lower price of a whole pack; absent if the pack costs as much as its samples. */
  saving?: string;
  costCredits: number;
  balanceCredits: number | null;
  /** The expected price, if the server has refused it and named another one; otherwise null. */
  formerCostCredits: number | null;
  /** Whether the visitor must agree that the right of withdrawal ends for this download. */
  consentDue?: boolean;
  busy: boolean;
}

const question = held<Confirmation | null>(null);
let settle: ((paid: boolean) => void) | null = null;

/** Shows the price. Resolves true when the visitor presses "Download", false after "Cancel" or closing the dialog. */
export function askForPrice(asked: Omit<Confirmation, 'busy'>): Promise<boolean> {
  settle?.(false);
  question.set({ ...asked, busy: false });
  return new Promise((resolve) => (settle = resolve));
}

/**
 * Takes the visitor's answer to the price. After "Download" the dialog stays open and busy. Closing the busy dialog
 * does not stop the purchase.
 */
export function answerPrice(agreed: boolean): void {
  const shown = question.get();
  if (!shown || (shown.busy && agreed)) return;
  if (shown.busy) {
    const description = `We are still waiting for the server. You will see here whether ${shown.title} was bought.`;
    toast({ title: 'Not finished yet', description, tone: 'info' });
  }
  question.set(agreed ? { ...shown, busy: true } : null);
  settle?.(agreed);
  settle = null;
}

export const isAsking = (id: string): boolean => question.get()?.id === id;

export function closeConfirmation(id: string): void {
  if (!isAsking(id)) return;
  settle?.(false);
  settle = null;
  question.set(null);
}

export const useConfirmation = question.use;
