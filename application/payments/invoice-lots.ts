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
  /** Shares of sales after `soldAfter`, by this lot's part of each purchase. Skips returned and taken back ones. */
  abstract sharesSoldAfter(lot: LotOfInvoice, soldAfter: Date): Promise<ShareInHold[]>;
}
