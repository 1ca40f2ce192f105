import { Unavailable } from '../shared/unavailable.js';
import type { PlanId } from '../../domain/subscriptions/plans.js';

/** A paid invoice as Stripe tells it, re-read from Stripe, never taken from a webhook body. */
export interface PaidInvoice {
  invoiceId: string;
  customerId: string;
  subscriptionId: string;
  paidAt: Date;
  /** The number printed on it. */
  number: string | null;
  /** A page of the provider's that shows it. */
  hostedUrl: string | null;
  /** Why the provider did not find out the tax; null where it did. */
  untaxed: string | null;
  /** The payer's, by ISO 3166; null where the provider does not know it. */
  country: string | null;
  lines: Array<{
    lineId: string;
    plan: PlanId;
    /** Before the discount, tax included. */
    grossUsdCents: number;
    taxUsdCents: number;
    discountUsdCents: number;
    periodStart: Date;
    periodEnd: Date;
    /** The tax in parts, also those of nothing. */
    taxes: LineTax[];
  }>;
}

/** A tax on a line: what is taken where, and why so. */
export interface LineTax {
  /** ISO 3166; null where the provider does not say. */
  country: string | null;
  /** Of the United States. */
  state: string | null;
  /** As it is called there, such as VAT. */
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
  /** The lower plan that takes over at period end, when one is scheduled. */
  scheduledPlan: PlanId | null;
  /** A dearer plan that waits until the payer has paid its invoice. */
  awaits: { plan: PlanId; invoiceId: string; needs: 'confirmation' | 'another card'; expiresAt: Date } | null;
  /** The newest bill, where it was tried to collect it and in vain. */
  overdue: { invoiceId: string; attempt: number } | null;
  /** It ended because nobody paid. */
  unpaid: boolean;
  /** Our user id, kept in the subscription's metadata. */
  userId?: string;
}

/** A bill that is not paid yet, as it is now. */
export interface OpenInvoice {
  number: string | null;
  dueUsdCents: number;
  /** A page where it is confirmed with the bank, or paid with another card. */
  hostedUrl: string | null;
  /** When the provider tries again by itself. */
  nextAttemptAt: Date | null;
  needs: 'confirmation' | 'another card';
  /** The last digits of the card that was tried. */
  last4: string | null;
}

/** A verified webhook: what happened to which object; the object itself is fetched again when it matters. */
export interface PaymentEvent {
  id: string;
  type: string;
  createdAt: Date;
  objectId: string;
  /** The subscription and the invoice that the event is about, if any. */
  subscriptionId?: string;
  invoiceId?: string;
  /** The creator's account it happened in; absent for our own. */
  accountId?: string;
}

export class PaymentGatewayUnavailable extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PaymentGatewayUnavailable';
  }
}

/** The card was refused; nothing was changed or charged. */
export class PaymentDeclined extends Error {
  constructor(message = 'the card was declined') {
    super(message);
    this.name = 'PaymentDeclined';
  }
}

/** The provider cannot make the change in the subscription's present state; it is refused for good. */
export class ChangeRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ChangeRefused';
  }
}

export class WebhookRefused extends Error {
  constructor(readonly reason: string) {
    super(`webhook refused: ${reason}`);
    this.name = 'WebhookRefused';
  }
}

export abstract class PaymentGateway {
  /** Makes the products and prices of the plans exist; safe to repeat. */
  abstract ensurePlans(): Promise<void>;
  /** A page for paying for one plan. Earlier pages of the same customer that are still open are closed. */
  abstract createCheckout(options: {
    userId: string;
    email: string;
    customerId?: string;
    plan: PlanId;
    successUrl: string;
    cancelUrl: string;
    idempotencyKey: string;
  }): Promise<{ url: string; sessionId: string; customerId?: string }>;
  /** A page on which a customer changes the card and pays what is due. */
  abstract openPaymentDetails(customerId: string, returnUrl: string): Promise<{ url: string }>;
  /** Verifies signature, age (300 s either way) and mode. @throws WebhookRefused */
  abstract verifyWebhook(rawBody: Buffer, signature: string): PaymentEvent;
  abstract readInvoice(invoiceId: string): Promise<PaidInvoice | undefined>;
  /** The cash that came in for an invoice, as it moved the balance in US dollars: no credit of the customer's is in it. */
  abstract readCollectedUsdCents(invoiceId: string): Promise<number>;
  abstract readSubscription(subscriptionId: string): Promise<StripeSubscription | undefined>;
  /** Invoices paid since, or until a moment, newest last: for webhooks that never came. */
  abstract listPaidInvoices(since: Date, until?: Date): Promise<PaidInvoice[]>;
  /**
   * At once, full price, new cycle; where the card is refused or the bank asks, once the payer has paid, until then
   * the plan stays. Like the three below, safe to repeat with its key.
   * @throws PaymentDeclined
   * @throws ChangeRefused
   */
  abstract upgrade(subscriptionId: string, plan: PlanId, idempotencyKey: string): Promise<void>;
  /** @returns undefined once it is not open any more */
  abstract readOpenInvoice(invoiceId: string): Promise<OpenInvoice | undefined>;
  /** Forgets a plan that awaits its payer. Does nothing where it was paid, or is forgotten already. */
  abstract forgetUpgrade(invoiceId: string, idempotencyKey: string): Promise<void>;
  /** Takes effect at period end. */
  abstract scheduleDowngrade(subscriptionId: string, plan: PlanId, idempotencyKey: string): Promise<void>;
  abstract scheduleCancellation(subscriptionId: string, idempotencyKey: string): Promise<void>;
  /** Withdraws what is scheduled for the end of the period. */
  abstract withdrawScheduledChange(subscriptionId: string, idempotencyKey: string): Promise<void>;
}
