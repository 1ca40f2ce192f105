import { Unavailable } from '../shared/unavailable.js';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import type { ProductId } from '../../domain/subscriptions/products.js';

/** A paid invoice as read from Stripe, never taken from a webhook body. */
export interface PaidInvoice {
  invoiceId: string;
  customerId: string;
  /** Null for a single payment, which belongs to no subscription. */
  subscriptionId: string | null;
  /** Our user id and the id of a gift, kept in the metadata of an invoice for a single payment. */
  userId?: string;
  giftId?: string;
  paidAt: Date;
  number: string | null;
  hostedUrl: string | null;
  /** Why the provider could not determine the tax. Null if the provider determined it. */
  untaxed: string | null;
  /** The payer's country (ISO 3166); null if unknown. */
  country: string | null;
  /** The firm that the invoice names, with its VAT ids. Absent for consumers. */
  firm?: { name: string | null; taxIds: string[] };
  lines: Array<{
    lineId: string;
    product: ProductId;
    quantity: number;
    /** The amount of the line before the discount, tax included. */
    grossUsdCents: number;
    taxUsdCents: number;
    discountUsdCents: number;
    periodStart: Date;
    periodEnd: Date;
    /** All parts of the tax, including those of zero. */
    taxes: LineTax[];
  }>;
}

export interface LineTax {
  /** The country in ISO 3166. Null if unknown. */
  country: string | null;
  /** The state of the United States. Null in other countries. */
  state: string | null;
  /** The local name of the tax, such as VAT. */
  name: string;
  percentage: number;
  taxableUsdCents: number;
  taxUsdCents: number;
  /** Stripe's own words: standard_rated, reverse_charge, not_collecting, … */
  reason: string;
}

export interface StripeSubscription {
  subscriptionId: string;
  customerId: string;
  plan: PlanId;
  /** Stripe's own words: active, past_due, canceled, incomplete, unpaid, … */
  status: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
  scheduledPlan: PlanId | null;
  /** An upgrade that waits until the payer has paid its invoice. */
  awaits: { plan: PlanId; invoiceId: string; needs: 'confirmation' | 'another card'; expiresAt: Date } | null;
  /** The newest invoice if it is open after a failed attempt to collect it. */
  overdue: { invoiceId: string; attempt: number } | null;
  /** Whether the subscription ended because of an unpaid bill. */
  unpaid: boolean;
  /** Our user id, kept in the subscription's metadata. */
  userId?: string;
}

export interface OpenInvoice {
  number: string | null;
  dueUsdCents: number;
  /** The page where the payer confirms the payment with the bank or uses another card. */
  hostedUrl: string | null;
  nextAttemptAt: Date | null;
  needs: 'confirmation' | 'another card';
  last4: string | null;
}

/** A verified webhook. It names an object, whose data listeners read from the provider. */
export interface PaymentEvent {
  id: string;
  type: string;
  createdAt: Date;
  objectId: string;
  subscriptionId?: string;
  invoiceId?: string;
  /** The creator's account that the event is about. Absent for events of our own account. */
  accountId?: string;
}

export class PaymentGatewayUnavailable extends Unavailable {
  override name = 'PaymentGatewayUnavailable';
}

/** The card was refused. Nothing was changed or charged. */
export class PaymentDeclined extends Error {
  override name = 'PaymentDeclined';
}

/** The provider refuses the change permanently, because the subscription's state does not allow it. */
export class ChangeRefused extends Error {
  override name = 'ChangeRefused';
}

export class WebhookRefused extends Error {
  constructor(readonly reason: string) {
    super(`webhook refused: ${reason}`);
    this.name = 'WebhookRefused';
  }
}

export abstract class PaymentWords {
  abstract ofWaitingRefund(code: string): string;
  abstract ofFailedRefund(code: string): string;
  /** @param code such as `individual.verification.document` */
  abstract ofRequirement(code: string): string;
}

export abstract class PaymentGateway {
  /** Creates missing products and prices. Idempotent. */
  abstract ensureProducts(): Promise<void>;
  /** Opens a payment page for one product. Closes earlier pages of the same customer. Idempotent by the key. */
  abstract createCheckout(options: {
    userId: string;
    email: string;
    customerId?: string;
    product: ProductId;
    /** Default: 1. */
    quantity?: number;
    /** Present if the person who redeems the code of this gift gets the credits. */
    giftId?: string;
    successUrl: string;
    cancelUrl: string;
    idempotencyKey: string;
  }): Promise<{ url: string; sessionId: string; customerId?: string }>;
  abstract openPaymentDetails(customerId: string, returnUrl: string): Promise<{ url: string }>;
  /** Verifies signature, age (300 s either way) and mode. @throws WebhookRefused */
  abstract verifyWebhook(rawBody: Buffer, signature: string): PaymentEvent;
  abstract readInvoice(invoiceId: string): Promise<PaidInvoice | undefined>;
  /**
   * Returns how much the payments of an invoice added to our balance in US dollars. Customer credit does not
   * count.
   */
  abstract readCollectedUsdCents(invoiceId: string): Promise<number>;
  abstract readSubscription(subscriptionId: string): Promise<StripeSubscription | undefined>;
  /** Lists invoices paid since a time, and before `until` if given, oldest first. Replaces lost webhooks. */
  abstract listPaidInvoices(since: Date, until?: Date): Promise<PaidInvoice[]>;
  /**
   * Upgrades at once, at the full price. If the card is refused or needs confirmation, the upgrade waits for payment.
   * Idempotent by the key, like the other changes below. @throws PaymentDeclined, ChangeRefused
   */
  abstract upgrade(subscriptionId: string, plan: PlanId, idempotencyKey: string): Promise<void>;
  abstract readOpenInvoice(invoiceId: string): Promise<OpenInvoice | undefined>;
  /** Cancels an upgrade that awaits its payer. Does nothing if the upgrade was paid or cancelled before. */
  abstract forgetUpgrade(invoiceId: string, idempotencyKey: string): Promise<void>;
  /** Downgrades at the end of the paid period. */
  abstract scheduleDowngrade(subscriptionId: string, plan: PlanId, idempotencyKey: string): Promise<void>;
  abstract scheduleCancellation(subscriptionId: string, idempotencyKey: string): Promise<void>;
  abstract withdrawScheduledChange(subscriptionId: string, idempotencyKey: string): Promise<void>;
}
