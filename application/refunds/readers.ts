import type { ShareInHold } from '../../domain/credits/invoice-lot.js';

/** The lot that a paid invoice became. An invoice of ours sells one plan, so it has one. */
export interface LotOfInvoice {
  userId: string;
  lotId: string;
  invoiceId: string;
}

export abstract class InvoiceLots {
  /** Undefined when there is none, or when no invoice paid for it. */
  abstract find(of: { invoiceId: string } | { lotId: string }): Promise<LotOfInvoice | undefined>;
  /**
   * What creators earned with credits of this lot after `soldAfter`, in proportion to what it paid of each
   * purchase; undone purchases and shares taken back before are not in it.
   */
  abstract sharesSoldAfter(lot: LotOfInvoice, soldAfter: Date): Promise<ShareInHold[]>;
}
