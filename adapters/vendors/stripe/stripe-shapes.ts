import type Stripe from 'stripe';
import type {
  LineTax,
  PaidInvoice,
  StripeSubscription,
} from '../../../application/payments/payment-gateway.js';
import { PLAN_IDS, type PlanId } from '../../../domain/subscriptions/plans.js';
import { isPlan, PRODUCT_IDS, type ProductId } from '../../../domain/subscriptions/products.js';
import { ask } from './stripe-errors.js';

/** Stripe's id contains ours, so that an invoice line reveals what it sells without another call. */
export const stripeProductOf = (product: ProductId): string => `offcut_${product}`;

export const idOf = (reference: string | { id?: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;

export const planOfProduct = (reference: string | { id: string } | null | undefined): PlanId | undefined => {
  const productId = idOf(reference);
  return PLAN_IDS.find((plan) => stripeProductOf(plan) === productId);
};

/** Returns what a line sells: a period of a plan, or a top-up. Undefined for prorations and other products. */
function soldBy({ pricing, parent, amount }: Stripe.InvoiceLineItem): ProductId | undefined {
  const stripeId = idOf(pricing?.price_details?.product);
  const product = PRODUCT_IDS.find((each) => stripeProductOf(each) === stripeId);
  if (!product || amount < 0) return undefined;
  const item = isPlan(product) ? parent?.subscription_item_details : parent?.invoice_item_details;
  return item?.proration === false ? product : undefined;
}

export const createdIn = (since: Date, until?: Date): { gte: number; lt?: number } => ({
  gte: Math.max(0, Math.floor(since.getTime() / 1000)),
  ...(until && { lt: Math.floor(until.getTime() / 1000) }),
});

export const dateOf = (seconds: number): Date => new Date(seconds * 1000);
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * Returns an invoice with the lines that sell our products. Prorations and other products grant nothing.
 * @returns undefined if it is unpaid, neither bills a subscription nor sells a product, or is not in dollars
 */
export function paidInvoiceFrom(
  invoice: Stripe.Invoice,
  lines: Stripe.InvoiceLineItem[],
  rates: ReadonlyMap<string, Stripe.TaxRate> = new Map(),
): PaidInvoice | undefined {
  const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription) ?? null;
  const customerId = idOf(invoice.customer);
  const paidAt = invoice.status_transitions.paid_at;
  if (invoice.status !== 'paid' || !paidAt || !customerId || !invoice.id) return undefined;
  if (invoice.currency !== 'usd') return undefined;
  if (subscriptionId === null && !lines.some(soldBy)) return undefined;
  const { userId, giftId } = invoice.metadata ?? {};
  const taxIds = (invoice.customer_tax_ids ?? []).flatMap(({ value }) => value ?? []);
  return {
    invoiceId: invoice.id,
    customerId,
    subscriptionId,
    ...(userId && { userId }),
    ...(giftId && { giftId }),
    paidAt: dateOf(paidAt),
    number: invoice.number,
    hostedUrl: invoice.hosted_invoice_url ?? null,
    untaxed: untaxedIn(invoice),
    country: invoice.customer_address?.country ?? null,
    ...(taxIds.length > 0 && { firm: { name: invoice.customer_name, taxIds } }),
    lines: lines.flatMap((line) => {
      const product = soldBy(line);
      if (!product) return [];
      const taxes = line.taxes ?? [];
      const added = sum(taxes.filter((tax) => tax.tax_behavior === 'exclusive').map((tax) => tax.amount));
      return [
        {
          lineId: line.id,
          product,
          quantity: line.quantity ?? 1,
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

/** Returns the reason why Stripe calculated no tax; null if it did. */
function untaxedIn({ automatic_tax: { enabled, disabled_reason, status } }: Stripe.Invoice): string | null {
  if (!enabled) return disabled_reason ?? 'automatic tax is off';
  return status === 'complete' ? null : `the tax is ${status ?? 'unknown'}`;
}

/** Returns undefined if the product is none of our plans. Schedule and newest invoice must be expanded. */
export function subscriptionFrom(
  subscription: Stripe.Subscription,
): Omit<StripeSubscription, 'awaits'> | undefined {
  const item = subscription.items.data[0];
  const plan = planOfProduct(item?.price.product as string | { id: string } | undefined);
  const customerId = idOf(subscription.customer);
  if (!item || !plan || !customerId) return undefined;
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
    userId: subscription.metadata['userId'] || undefined,
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

type Tax = Stripe.InvoiceLineItem.Tax;

/** Caches Stripe's tax rates, which never change once created. */
export class StripeTaxRates {
  private readonly known = new Map<string, Stripe.TaxRate>();

  constructor(private readonly stripe: Stripe) {}

  async of(lines: readonly Stripe.InvoiceLineItem[]): Promise<ReadonlyMap<string, Stripe.TaxRate>> {
    const ids = lines.flatMap((line) => (line.taxes ?? []).map(rateIdOf));
    for (const id of new Set(ids))
      if (id !== undefined && !this.known.has(id))
        this.known.set(id, await ask(() => this.stripe.taxRates.retrieve(id)));
    return this.known;
  }
}

const rateIdOf = ({ tax_rate_details: details }: Tax): string | undefined => details?.tax_rate;

/** Returns a tax with its place: that of the tax rate, or else that of the payer's address. */
function taxFrom(
  tax: Tax,
  rates: ReadonlyMap<string, Stripe.TaxRate>,
  { customer_address: address }: Stripe.Invoice,
): LineTax {
  const rate = rates.get(rateIdOf(tax) ?? '');
  const country = rate?.country ?? address?.country ?? null;
  return {
    country,
    state: country === 'US' ? (rate?.state ?? address?.state ?? null) : null,
    name: rate?.display_name ?? 'Tax',
    percentage: rate?.percentage ?? 0,
    taxableUsdCents: tax.taxable_amount ?? 0,
    taxUsdCents: tax.amount,
    reason: tax.taxability_reason,
  };
}

/** Returns the movements of a dispute in US dollars. `taking` is undefined while the bank only inquires. */
export function movementsOf({ balance_transactions: all, status }: Stripe.Dispute) {
  const moved = all
    .filter(({ currency }) => currency === 'usd')
    .sort((one, other) => one.created - other.created);
  const taking = moved.find(({ amount }) => amount < 0);
  // Takes the last movement, because a part of the money may have come back before the dispute was won.
  const giving = status === 'won' ? moved.findLast(({ amount }) => amount > 0) : undefined;
  const given = giving ? moved.indexOf(giving) : moved.length;
  const others = moved.flatMap((each, index) =>
    each === taking || each === giving ? [] : [{ moved: each, afterGiving: index > given }],
  );
  return { taking, giving, others };
}
