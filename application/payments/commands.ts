import { Command } from '@nestjs/cqrs';
import type { InvoiceEvent } from '../../domain/credits/credit-account.js';
import type { InvoiceLotRejection } from '../../domain/credits/invoice-lot.js';
import type { BalanceTransactionCommand } from '../../domain/payments/balance-transaction.js';
import type { Cause } from '../shared/event-store.js';
import type { PaidInvoice } from './payment-gateway.js';
import type { BankPayoutNow, Transfer } from './payout-gateway.js';

export type Refund = Extract<InvoiceEvent, { type: 'InvoiceRefunded' }>['data'];

export interface RefundRequest {
  /** Chosen by the caller. Each id is refunded once. */
  refundId: string;
  of: { invoiceId: string } | { lotId: string };
  by: string;
  /** The second person, if needed. */
  approvedBy?: string;
  explanation: string;
  /** The limit, tax included. If more is unspent, nothing is refunded. */
  mostMicroUsd?: number;
}

/** `pending`: the refund is under way. The provider does not answer, or has accepted it and not sent it yet. */
export type RefundStatus = 'refunded' | 'pending' | 'failed';

export type RefundResult =
  | {
      accepted: true;
      /** The first of the refunds, with the credits of all of them. */
      refund: Refund;
      /** The sum of all refunds. */
      amountUsdCents: number;
      status: RefundStatus;
      balance: number;
    }
  | { accepted: false; rejection: InvoiceLotRejection };

/** Refunds the unspent part of an invoice. Takes the credits first, then sends the money. */
export class RefundInvoice extends Command<RefundResult> {
  constructor(readonly request: RefundRequest) {
    super();
  }
}

/** Sends the money of a refund. A refund that failed before is not sent again, because the books list it as owed. */
export class SendRefund extends Command<RefundStatus> {
  constructor(readonly refund: Refund) {
    super();
  }
}

/**
 * Grants the credits of a paid invoice, once per invoice line, and then records the next period of the subscription.
 * Nothing else grants credits for money. Does nothing if the invoice belongs to none of our listeners.
 */
export class SettleInvoice extends Command<'settled' | 'unknown payer'> {
  constructor(
    readonly invoice: PaidInvoice,
    readonly cause: Required<Cause>,
  ) {
    super();
  }
}

/**
 * Records a transfer to a creator and its reversals, each once. Answers whether the transfer pays one of our
 * withdrawals.
 */
export class RecordTransfer extends Command<boolean> {
  constructor(
    readonly transfer: Transfer,
    readonly cause: Cause,
  ) {
    super();
  }
}

export class RecordBankPayout extends Command<void> {
  constructor(
    readonly payout: BankPayoutNow,
    readonly cause: Cause,
  ) {
    super();
  }
}

/** Records a movement of our balance, or moves it into or out of suspense. Answers whether anything changed. */
export class RecordMovement extends Command<boolean> {
  constructor(
    readonly transactionId: string,
    readonly decision: BalanceTransactionCommand,
    readonly cause: Cause,
  ) {
    super();
  }
}
