import type Stripe from 'stripe';
import type { PaidInvoice, StripeSubscription } from '../../../application/payments/payment-gateway.js';
import { taxFrom } from './stripe-tax.js';
import { PLAN_IDS, type PlanId } from '../../../domain/subscriptions/plans.js';

/** Our product ids contain the plan, so that an invoice line identifies its plan without another call. */
export const productIdOf = (plan: PlanId): string => `offcut_${plan}`;

export const idOf = (reference: string | { id?: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;

export const planOfProduct = (reference: string | { id: string } | null | undefined): PlanId | undefined => {
  const productId = idOf(reference);
  return PLAN_IDS.find((plan) => productIdOf(plan) === productId);
};

export const createdIn = (since: Date, until?: Date): { gte: number; lt?: number } => ({
  gte: Math.max(0, Math.floor(since.getTime() / 1000)),
  ...(until && { lt: Math.floor(until.getTime() / 1000) }),
});

export const dateOf = (seconds: number): Date => new Date(seconds * 1000);
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * One entry per line that sells a plan for a period. Prorations and other products grant nothing.
 * @returns undefined if unpaid, of no subscription, or in another currency, whose money the balance movement books
 */
export function paidInvoiceFrom(
  invoice: Stripe.Invoice,
  lines: Stripe.InvoiceLineItem[],
  rates: ReadonlyMap<string, Stripe.TaxRate> = new Map(),
): PaidInvoice | undefined {
  const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription);
  const customerId = idOf(invoice.customer);
  const paidAt = invoice.status_transitions.paid_at;
  if (invoice.status !== 'paid' || !paidAt || !subscriptionId || !customerId || !invoice.id) return undefined;
  if (invoice.currency !== 'usd') return undefined;
  return {
    invoiceId: invoice.id,
    customerId,
    subscriptionId,
    paidAt: dateOf(paidAt),
    number: invoice.number,
    hostedUrl: invoice.hosted_invoice_url ?? null,
    untaxed: untaxedIn(invoice),
    country: invoice.customer_address?.country ?? null,
    lines: lines.flatMap((line) => {
      const plan = planOfProduct(line.pricing?.price_details?.product);
      if (!plan || line.parent?.subscription_item_details?.proration !== false || line.amount < 0) return [];
      const taxes = line.taxes ?? [];
      const added = sum(taxes.filter((tax) => tax.tax_behavior === 'exclusive').map((tax) => tax.amount));
      return [
        {
          lineId: line.id,
          plan,
          grossUsdCents: line.amount + added,
          taxUsdCents: sum(taxes.map((tax) => tax.amount)),
          discountUsdCents: sum((line.discount_amounts ?? []).map((discount) => discount.amount)),
          periodStart: dateOf(line.period.start),
          periodEnd: dateOf(line.period.end),
          taxes: taxes.map((tax) => taxFrom(tax, rates, invoice)),
        },
      ];
    }),
  };
}

/** Returns why no tax was calculated; null if it was. */
function untaxedIn({ automatic_tax: { enabled, disabled_reason, status } }: Stripe.Invoice): string | null {
  if (!enabled) return disabled_reason ?? 'automatic tax is off';
  return status === 'complete' ? null : `the tax is ${status ?? 'unknown'}`;
}

/** Undefined for a subscription on none of our plans. Its schedule and newest invoice must be expanded. */
export function subscriptionFrom(
  subscription: Stripe.Subscription,
): Omit<StripeSubscription, 'awaits'> | undefined {
  const item = subscription.items.data[0];
  const plan = planOfProduct(item?.price.product as string | { id: string } | undefined);
  const customerId = idOf(subscription.customer);
  if (!item || !plan || !customerId) return undefined;
  const userId = subscription.metadata['userId'];
  return {
    subscriptionId: subscription.id,
    customerId,
    plan,
    status: subscription.status,
    currentPeriodStart: dateOf(item.current_period_start),
    currentPeriodEnd: dateOf(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    scheduledPlan: scheduledPlan(subscription, item, plan),
    overdue: overdueIn(subscription),
    unpaid: subscription.cancellation_details?.reason === 'payment_failed',
    ...(userId ? { userId } : {}),
  };
}

function overdueIn({ latest_invoice: invoice }: Stripe.Subscription): StripeSubscription['overdue'] {
  if (!invoice || typeof invoice === 'string' || !invoice.id) return null;
  const { id, status, attempt_count: attempt } = invoice;
  return status === 'open' && attempt > 0 ? { invoiceId: id, attempt } : null;
}

function scheduledPlan(
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  current: PlanId,
): PlanId | null {
  const schedule = subscription.schedule;
  if (!schedule || typeof schedule === 'string') return null;
  const next = schedule.phases.find((phase) => phase.start_date >= item.current_period_end);
  const price = next?.items[0]?.price;
  const plan = typeof price === 'object' && 'product' in price ? planOfProduct(price.product) : undefined;
  return plan && plan !== current ? plan : null;
}
