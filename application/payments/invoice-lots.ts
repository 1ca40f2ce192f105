import type { ShareInHold } from '../../domain/credits/invoice-lot.js';

/** A lot of a paid invoice. Each line that sells a plan has one. */
export interface LotOfInvoice {
  userId: string;
  lotId: string;
  invoiceId: string;
}

export abstract class InvoiceLots {
  /** In the order of granting; empty if no invoice paid for them. */
  abstract find(of: { invoiceId: string } | { lotId: string }): Promise<LotOfInvoice[]>;
  /**
   * Lists the shares of sales after `soldAfter` that were paid with this lot, in proportion to its part of each
   * purchase. Skips returned purchases and shares that were already taken back.
   */
  abstract sharesSoldAfter(lot: LotOfInvoice, soldAfter: Date): Promise<ShareInHold[]>;
}
