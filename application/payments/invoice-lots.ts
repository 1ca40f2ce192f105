import type { ShareInHold } from '../../domain/credits/invoice-lot.js';

/** A lot of a paid invoice: one for each line that sells a plan. */
export interface LotOfInvoice {
  userId: string;
  lotId: string;
  invoiceId: string;
}

export abstract class InvoiceLots {
  /** In the order they were granted; empty if no invoice paid for any. */
  abstract find(of: { invoiceId: string } | { lotId: string }): Promise<LotOfInvoice[]>;
  /**
   * What creators earned with credits of this lot after `soldAfter`, in proportion to its part of each purchase;
   * without undone purchases and shares taken back before.
   */
  abstract sharesSoldAfter(lot: LotOfInvoice, soldAfter: Date): Promise<ShareInHold[]>;
}
