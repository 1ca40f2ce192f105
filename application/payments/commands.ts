import { Command } from '@nestjs/cqrs';
import type { InvoiceEvent } from '../../domain/credits/credit-account.js';
import type { InvoiceLotRejection } from '../../domain/credits/invoice-lot.js';

export type Refund = Extract<InvoiceEvent, { type: 'InvoiceRefunded' }>['data'];

export interface RefundRequest {
  /** Made by the caller: a refund is made once an id. */
  refundId: string;
  of: { invoiceId: string } | { lotId: string };
  by: string;
  explanation: string;
}

/** `pending`: the provider does not answer now; it is sent as soon as it does. */
export type RefundStatus = 'refunded' | 'pending' | 'failed';

export type RefundResult =
  | {
      accepted: true;
      /** The first, with the credits of all. */
      refund: Refund;
      /** Of all. */
      amountUsdCents: number;
      status: RefundStatus;
      balance: number;
    }
  | { accepted: false; rejection: InvoiceLotRejection };

/** Gives back what is unspent of an invoice: first the credits go, then the money. */
export class RefundInvoice extends Command<RefundResult> {
  constructor(readonly request: RefundRequest) {
    super();
  }
}
