import type { ShareInHold } from '../../domain/credits/invoice-lot.js';

/** A lot that a paid invoice became, one a line that sells a plan. */
export interface LotOfInvoice {
  userId: string;
  lotId: string;
  invoiceId: string;
}

export abstract class InvoiceLots {
  /** In the order they were granted; none when there is none, or when no invoice paid for it. */
  abstract find(of: { invoiceId: string } | { lotId: string }): Promise<LotOfInvoice[]>;
  /**
   * What creators earned with credits of this lot after `soldAfter`, in proportion to what it paid of each
   * purchase; undone purchases and shares taken back before are not in it.
   */
  abstract sharesSoldAfter(lot: LotOfInvoice, soldAfter: Date): Promise<ShareInHold[]>;
}
