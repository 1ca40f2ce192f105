import type Stripe from 'stripe';
import type { WallClock } from '../../../application/shared/clock.js';
import {
  PaymentGateway,
  type OpenInvoice,
  type PaidInvoice,
  type PaymentEvent,
  type StripeSubscription,
} from '../../../application/payments/payment-gateway.js';
import type { PlanId } from '../../../domain/subscriptions/plans.js';
import type { ProductId } from '../../../domain/subscriptions/products.js';
import { paymentCall, StripeCaller, type StripeOptions } from './stripe-client.js';
import { awaitedFor, collectedFor, openInvoice } from './stripe-invoice-payments.js';
import { openCheckout } from './stripe-checkout.js';
import { ask, askForChange, askMaybe } from './stripe-errors.js';
import {
  forgetUpgrade,
  retrieve,
  scheduleCancellation,
  scheduleDowngrade,
  upgrade,
  withdrawScheduledChange,
} from './stripe-plan-changes.js';
import { ensurePrices } from './stripe-prices.js';
import { findPortal } from './stripe-setup.js';
import { createdIn, paidInvoiceFrom, StripeTaxRates, subscriptionFrom } from './stripe-shapes.js';
import { verifyStripeWebhook } from './stripe-webhook.js';

// Invoices are found by creation date. This covers all retries of a failed payment, so that late payments are found.
const LATE_PAYMENT_SECONDS = 31 * 86_400;

export class StripePaymentGateway extends StripeCaller implements PaymentGateway {
  private readonly livemode = /^[sr]k_live_/.test(this.options.secretKey);
  private readonly rates = new StripeTaxRates(this.stripe);
  private priceIds: Promise<Map<ProductId, string>> | undefined;

  constructor(
    options: StripeOptions,
    private readonly clock: WallClock,
  ) {
    super(options);
  }

  async ensureProducts(): Promise<void> {
    await this.prices();
  }

  /** Finds or creates the prices once per process. A failure is not cached, so that the next call tries again. */
  private prices(): Promise<Map<ProductId, string>> {
    this.priceIds ??= ask(() => ensurePrices(this.stripe, this.options.tax)).catch((error: unknown) => {
      this.priceIds = undefined;
      throw error;
    });
    return this.priceIds;
  }

  private async priceOf(product: ProductId): Promise<string> {
    return (await this.prices()).get(product) as string;
  }

  async createCheckout(
    options: Parameters<PaymentGateway['createCheckout']>[0],
  ): ReturnType<PaymentGateway['createCheckout']> {
    const price = await this.priceOf(options.product);
    return ask(() => openCheckout(this.stripe, price, { ...options, tax: this.options.tax }));
  }

  async openPaymentDetails(customerId: string, returnUrl: string): Promise<{ url: string }> {
    const ours = await ask(() => findPortal(this.stripe, returnUrl));
    const session = await ask(() =>
      this.stripe.billingPortal.sessions.create({
        customer: customerId,
        return_url: returnUrl,
        ...(ours && { configuration: ours.id }),
      }),
    );
    return { url: session.url };
  }

  verifyWebhook(rawBody: Buffer, signature: string): PaymentEvent {
    return verifyStripeWebhook(this.stripe, {
      rawBody,
      signature,
      secret: this.options.webhookSecret,
      livemode: this.livemode,
      now: this.clock.now(),
    });
  }

  async readInvoice(invoiceId: string): Promise<PaidInvoice | undefined> {
    const invoice = await askMaybe(() => this.stripe.invoices.retrieve(invoiceId));
    return invoice && this.paid(invoice);
  }

  readCollectedUsdCents(invoiceId: string): Promise<number> {
    return collectedFor(this.stripe, invoiceId);
  }

  private async paid(invoice: Stripe.Invoice): Promise<PaidInvoice | undefined> {
    const lines = invoice.lines.has_more
      ? await ask(() =>
          this.stripe.invoices
            .listLineItems(invoice.id as string, { limit: 100 })
            .autoPagingToArray({ limit: 1000 }),
        )
      : invoice.lines.data;
    return paidInvoiceFrom(invoice, lines, await this.rates.of(lines));
  }

  async readSubscription(subscriptionId: string): Promise<StripeSubscription | undefined> {
    for (let again = false; ; again = true) {
      const found = await askMaybe(() => retrieve(this.stripe, subscriptionId));
      const subscription = found && subscriptionFrom(found);
      if (!subscription) return undefined;
      const awaits = await awaitedFor(this.stripe, found);
      if (!awaits) return { ...subscription, awaits };
      const { needs } = awaits;
      // Without `needs`, the change was paid or dropped in the meantime. The next read shows which.
      if (needs || again) return { ...subscription, awaits: { ...awaits, needs: needs ?? 'confirmation' } };
    }
  }

  async listPaidInvoices(since: Date, until?: Date): Promise<PaidInvoice[]> {
    const { gte, lt = Infinity } = createdIn(since, until);
    const found = await ask(async () => {
      const all: PaidInvoice[] = [];
      const created = { ...createdIn(since, until), gte: Math.max(0, gte - LATE_PAYMENT_SECONDS) };
      for await (const invoice of this.stripe.invoices.list({ status: 'paid', created, limit: 100 })) {
        const paidAt = invoice.status_transitions.paid_at ?? 0;
        if (paidAt < gte || paidAt >= lt) continue;
        const paid = await this.paid(invoice);
        if (paid) all.push(paid);
      }
      return all;
    });
    return found.sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  }

  async upgrade(subscriptionId: string, plan: PlanId, idempotencyKey: string): Promise<void> {
    const price = await this.priceOf(plan);
    const call = paymentCall(this.options, `${idempotencyKey}:upgrade`);
    const change = { subscriptionId, price, idempotencyKey, call, taxed: this.options.tax !== undefined };
    await askForChange(() => upgrade(this.stripe, change));
  }

  readOpenInvoice(invoiceId: string): Promise<OpenInvoice | undefined> {
    return openInvoice(this.stripe, invoiceId);
  }

  async forgetUpgrade(invoiceId: string, idempotencyKey: string): Promise<void> {
    await ask(() => forgetUpgrade(this.stripe, invoiceId, idempotencyKey));
  }

  async scheduleDowngrade(subscriptionId: string, plan: PlanId, idempotencyKey: string): Promise<void> {
    const price = await this.priceOf(plan);
    const change = { subscriptionId, price, idempotencyKey, taxed: this.options.tax !== undefined };
    await askForChange(() => scheduleDowngrade(this.stripe, change));
  }

  async scheduleCancellation(subscriptionId: string, idempotencyKey: string): Promise<void> {
    await askForChange(() => scheduleCancellation(this.stripe, { subscriptionId, idempotencyKey }));
  }

  async withdrawScheduledChange(subscriptionId: string, idempotencyKey: string): Promise<void> {
    await askForChange(() => withdrawScheduledChange(this.stripe, { subscriptionId, idempotencyKey }));
  }
}
