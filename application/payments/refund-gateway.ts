import type { PaymentEvent } from './payment-gateway.js';

/** Money that went back for an invoice, as the provider has it now. */
export interface ProviderRefund {
  /** Our own id of it; the provider's if we did not ask for it. */
  refundId: string;
  invoiceId: string;
  amountUsdCents: number;
  /** Why the money came back to us; absent while it is on its way or arrived. */
  failure?: string;
}

/** A bank that took an invoice's money back and wants reasons. */
export interface ProviderDispute {
  disputeId: string;
  invoiceId: string;
  amountUsdCents: number;
  feeUsdCents: number;
  status: 'open' | 'won' | 'lost';
}

export type MoneyBack = { refund: ProviderRefund } | { dispute: ProviderDispute };

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
  }): Promise<ProviderRefund>;
  /** The charge that an event of the provider's is about; undefined when it is about no refund and no dispute. */
  abstract chargeBehind(event: PaymentEvent): Promise<string | undefined>;
  /**
   * Everything that went back of a charge, oldest first; none when it paid no invoice. A dispute in which the bank
   * only asks and has taken nothing is not in it.
   */
  abstract moneyBackOf(chargeId: string): Promise<MoneyBack[]>;
  /** Refunds and disputes since then, oldest first, for webhooks that never came. */
  abstract listEvents(since: Date): Promise<PaymentEvent[]>;
}
