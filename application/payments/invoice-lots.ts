import type { ShareInHold } from '../../domain/credits/invoice-lot.js';

/** The lot of an invoice line that sells a product. */
export interface LotOfInvoice {
  /**
   * The account that had the lot when it was read. Before that account is locked, a gift can still move to another
   * account.
   */
  userId: string;
  payerId: string;
  /** Null if the payer bought it for themselves. */
  giftId: string | null;
  lotId: string;
  invoiceId: string;
  /** What the line sold. Null for old payments, which are for plans. */
  product?: string | null;
}

export abstract class InvoiceLots {
  /** Lists the lots in the order of their grants. Returns none if no invoice paid for them. */
  abstract find(of: { invoiceId: string } | { lotId: string }): Promise<LotOfInvoice[]>;
  /**
   * Lists the parts of creators' shares that this lot paid, for sales after
   * `soldAfter`. Skips returned and taken-back shares.
   */
  abstract sharesSoldAfter(lot: LotOfInvoice, soldAfter: Date): Promise<ShareInHold[]>;
}
