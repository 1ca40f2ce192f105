import type { ShareInHold } from '../../domain/credits/invoice-lot.js';

/** The lot of an invoice line that sells a product. */
export interface LotOfInvoice {
  /** The account that has the lot now. A redeemed gift changes it until the account is locked. */
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
  /** Lists shares of sales after `soldAfter`: the parts that this lot paid. Skips returned and taken-back shares. */
  abstract sharesSoldAfter(lot: LotOfInvoice, soldAfter: Date): Promise<ShareInHold[]>;
}
