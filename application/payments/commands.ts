import { Command } from '@nestjs/cqrs';
import type { InvoiceEvent } from '../../domain/credits/credit-account.js';
import type { InvoiceLotRejection } from '../../domain/credits/invoice-lot.js';
import type { BalanceTransactionCommand } from '../../domain/payments/balance-transaction.js';
import type { Cause } from '../shared/event-store.js';
import type { PaidInvoice } from './payment-gateway.js';
import type { BankPayoutNow, Transfer } from './payout-gateway.js';

export type Refund = Extract<InvoiceEvent, { type: 'InvoiceRefunded' }>['data'];

export interface RefundRequest {
  /** The caller makes the id: each id is refunded once. */
  refundId: string;
  of: { invoiceId: string } | { lotId: string };
  by: string;
  /** The second person, if one was needed. */
  approvedBy?: string;
  explanation: string;
  /** If more is unspent, tax included, nothing is refunded. */
  mostMicroUsd?: number;
}

/** `pending`: it is on its way. The provider does not answer now, or has taken it on and not sent it. */
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

/** Sends the money of a refund. What failed before is in the books as owed, and is not sent behind their back. */
export class SendRefund extends Command<RefundStatus> {
  constructor(readonly refund: Refund) {
    super();
  }
}

/**
 * Turns a paid invoice into credits, once per invoice line however often it is reported, and then into the
 * subscription's next period. Nothing else grants credits for money. Does nothing if the invoice belongs to none of
 * our listeners.
 */
export class SettleInvoice extends Command<'settled' | 'unknown payer'> {
  constructor(
    readonly invoice: PaidInvoice,
    readonly cause: Required<Cause>,
  ) {
    super();
  }
}

/** Records a transfer to a creator and its reversals, each once. Answers whether it pays one of our withdrawals. */
export class RecordTransfer extends Command<boolean> {
  constructor(
    readonly transfer: Transfer,
    readonly cause: Cause,
  ) {
    super();
  }
}

/** What the provider reports of a payout to our bank. */
export class RecordBankPayout extends Command<void> {
  constructor(
    readonly payout: BankPayoutNow,
    readonly cause: Cause,
  ) {
    super();
  }
}

/**
 * Records a movement of our balance, or moves it into or out of suspense. Answers whether that was new.
 */
export class RecordMovement extends Command<boolean> {
  constructor(
    readonly transactionId: string,
    readonly decision: BalanceTransactionCommand,
    readonly cause: Cause,
  ) {
    super();
  }
}
