import type { PaymentEvent } from './payment-gateway.js';

/** Money that went back for an invoice, as the provider has it now. */
export interface ProviderRefund {
  /** Our own id of it; the provider's if we did not ask for it. */
  refundId: string;
  invoiceId: string;
  amountUsdCents: number;
  createdAt: Date;
  /** When it left our balance. */
  sentAt?: Date;
  /** When it came back to us. */
  failedAt?: Date;
  /** Why the money came back to us; absent while it is on its way or arrived. */
  failure?: string;
  /** It is no refund: the payment itself failed after it had come in. */
  paymentFailed?: true;
  /** Why it is not sent yet, such as `insufficient_funds`; absent when it is. */
  pending?: string;
  /** Why the provider makes no credit note of it, which its own report of tax is corrected by. */
  withoutNote?: string;
}

/** A bank that took an invoice's money back and wants reasons. */
export interface ProviderDispute {
  disputeId: string;
  invoiceId: string;
  /** As its first movement took it. */
  amountUsdCents: number;
  feeUsdCents: number;
  /** When the bank took the money. */
  openedAt?: Date;
  /** When the bank gave it back. */
  wonAt?: Date;
  /** Its other movements, oldest first, without the one that gave the money back at the end. */
  adjustments: DisputeMovement[];
  status: 'open' | 'won' | 'lost';
}

export interface DisputeMovement {
  transactionId: string;
  at: Date;
  /** Above zero when it left our balance. */
  amountUsdCents: number;
  feeUsdCents: number;
  /** It moved after the money had been given back. */
  late: boolean;
}

/** A bank asks about a payment and has taken nothing. */
export interface ProviderInquiry {
  disputeId: string;
  invoiceId: string;
  amountUsdCents: number;
  /** The provider's own word, such as `fraudulent`. */
  reason: string;
  /** Until when it wants an answer. */
  dueBy: Date | null;
  /** It is over, or the bank has taken the money. */
  over: boolean;
}

export type MoneyBack =
  | { refund: ProviderRefund }
  | { dispute: ProviderDispute }
  | { inquiry: ProviderInquiry };

/** The provider refuses this refund for good. */
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
   * Refunds a part of what paid an invoice. Looks it up by our id first, so that a repetition after a lost answer
   * never pays twice.
   * @throws RefundRefused for good, PaymentGatewayUnavailable if the outcome is unknown
   */
  abstract refund(order: {
    invoiceId: string;
    refundId: string;
    amountUsdCents: number;
    /** It gives tax back that the provider found out, and gets a credit note. */
    taxed?: boolean;
  }): Promise<ProviderRefund>;
  /** The charge that an event of the provider's is about; undefined when it is about no refund and no dispute. */
  abstract chargeBehind(event: PaymentEvent): Promise<string | undefined>;
  /** Everything that went back of a charge, or that a bank asks about, oldest first; none when it paid no invoice. */
  abstract moneyBackOf(chargeId: string): Promise<MoneyBack[]>;
  /** The charges of which something went back, or was asked for, between two moments, in that order. */
  abstract listCharges(since: Date, until: Date): Promise<string[]>;
  /** Refunds and disputes since then, oldest first, for webhooks that never came. */
  abstract listEvents(since: Date): Promise<PaymentEvent[]>;
}
