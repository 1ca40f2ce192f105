import type { PaymentEvent } from './payment-gateway.js';

export interface ProviderRefund {
  /** Our id of the refund, or the provider's id of a refund that we did not request. */
  refundId: string;
  invoiceId: string;
  amountUsdCents: number;
  createdAt: Date;
  /** When the money left our balance. */
  sentAt?: Date;
  /** When the money came back to us. */
  failedAt?: Date;
  /** Why the money came back to us. Absent while the money is on its way to the customer, and after it arrived. */
  failure?: string;
  /** The customer's payment failed after we had received the money, so this is not a refund. */
  paymentFailed?: true;
  /** Why the refund is not sent yet, such as `insufficient_funds`. Absent once it is sent. */
  pending?: string;
  /** Why the provider created no credit note. Without a note, its tax report still counts the tax. */
  withoutNote?: string;
}

/** A dispute: a bank took the money of an invoice back. */
export interface ProviderDispute {
  disputeId: string;
  invoiceId: string;
  /** The amount that the bank took first. Adjustments may follow. */
  amountUsdCents: number;
  feeUsdCents: number;
  /** When the bank took the money. */
  openedAt?: Date;
  /** When the bank returned the money. */
  wonAt?: Date;
  /** All movements of the dispute except the first one and the return of the money, oldest first. */
  adjustments: DisputeMovement[];
  status: 'open' | 'won' | 'lost';
}

export interface DisputeMovement {
  transactionId: string;
  at: Date;
  /** Positive for money that left our balance. */
  amountUsdCents: number;
  feeUsdCents: number;
  /** Whether the movement happened after the bank had returned the money. */
  late: boolean;
}

/** A bank asks about a payment and has taken nothing. */
export interface ProviderInquiry {
  disputeId: string;
  invoiceId: string;
  amountUsdCents: number;
  /** The provider's code, such as `fraudulent`. */
  reason: string;
  dueBy: Date | null;
  /** Whether the inquiry ended, or the bank has taken the money. */
  over: boolean;
}

export type MoneyBack =
  | { refund: ProviderRefund }
  | { dispute: ProviderDispute }
  | { inquiry: ProviderInquiry };

/** The provider refuses the refund permanently. */
export class RefundRefused extends Error {
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`refund refused: ${reason}`, options);
    this.name = 'RefundRefused';
  }
}

export abstract class RefundGateway {
  /**
   * Searches for our id first, so that a retry after a lost answer never pays twice.
   * @throws RefundRefused if it is refused permanently, PaymentGatewayUnavailable if the outcome is unknown
   */
  abstract refund(order: {
    invoiceId: string;
    refundId: string;
    amountUsdCents: number;
    /** Whether the refund returns tax that the provider calculated. Then the provider creates a credit note. */
    taxed?: boolean;
  }): Promise<ProviderRefund>;
  /** Returns the charge of an event; undefined if the event is about no refund and no dispute. */
  abstract chargeBehind(event: PaymentEvent): Promise<string | undefined>;
  /** Lists the refunds, disputes and inquiries of a charge, oldest first; none if the charge paid no invoice. */
  abstract moneyBackOf(chargeId: string): Promise<MoneyBack[]>;
  /**
   * Lists each charge with a refund, dispute or inquiry between two times once, ordered by its earliest refund,
   * dispute or inquiry.
   */
  abstract listCharges(since: Date, until: Date): Promise<string[]>;
  /** Lists events of refunds and disputes since a time, oldest first. Replaces webhooks that never arrived. */
  abstract listEvents(since: Date): Promise<PaymentEvent[]>;
}
