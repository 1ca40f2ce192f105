import type Stripe from 'stripe';
import {
  billPeriod,
  collect,
  finalise,
  RETRY_AFTER_DAYS,
  subscriptionOf,
  type Sale,
} from './resources/invoices.js';
import { applyPendingUpdate, expirePendingUpdate } from './pending-updates.js';
import { releaseReserve } from './resources/balance.js';
import { itemOf } from './resources/new-invoice.js';
import { arrive, nextAutomaticPayout, payOutAutomatically } from './resources/payouts.js';
import { enterDuePhase } from './resources/subscription-schedules.js';
import { planOf } from './resources/products.js';
import { idOf, listOf, monthsAfter, nulls, type World } from './world.js';
import { setTax } from './tax/taxes.js';

/** Starts a billing cycle now and bills it. `paid` is false if the card was declined. */
export function billFromNow(
  world: World,
  subscription: Stripe.Subscription,
  reason: 'subscription_create' | 'subscription_update',
  method?: Stripe.PaymentMethod,
): { invoice: Stripe.Invoice; paid: boolean } {
  const start = world.now();
  const item = itemOf(subscription);
  subscription.billing_cycle_anchor = start;
  item.current_period_start = start;
  item.current_period_end = monthsAfter(start, item.price.recurring?.interval_count ?? 1);
  const period = { start, end: item.current_period_end };
  const invoice = billPeriod(world, subscription, period, reason);
  return { invoice, paid: collect(world, invoice, method) };
}

/** Creates a subscription with its first invoice. The subscription stays incomplete if the invoice is not paid. */
export function startSubscription(
  world: World,
  sale: Sale,
): { subscription: Stripe.Subscription; invoice: Stripe.Invoice } {
  const { customer, price, quantity, metadata, method, taxed, promotion } = sale;
  const id = world.id('sub');
  const now = world.now();
  const item: Stripe.SubscriptionItem = {
    id: world.id('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: now,
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price: structuredClone(price),
    quantity,
    subscription: id,
    tax_rates: [],
  };
  const subscription = world.add('subscriptions', {
    id,
    object: 'subscription',
    ...nulls('application', 'application_fee_percent', 'billing_cycle_anchor_config', 'billing_thresholds'),
    ...nulls('cancel_at', 'canceled_at', 'customer_account', 'days_until_due', 'default_source'),
    ...nulls('description', 'ended_at', 'latest_invoice', 'managed_payments', 'on_behalf_of'),
    ...nulls('next_pending_invoice_item_invoice', 'pause_collection', 'pending_invoice_item_interval'),
    ...nulls('pending_setup_intent', 'pending_update', 'schedule', 'test_clock', 'transfer_data'),
    ...nulls('trial_end', 'trial_start'),
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    cancel_at_period_end: false,
    cancellation_details: nulls('comment', 'feedback', 'feedback_option', 'reason'),
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer: customer.id,
    default_payment_method: method.id,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: {
      ...nulls('account_tax_ids', 'custom_fields', 'description', 'footer'),
      issuer: { type: 'self' },
    },
    items: listOf([item], `/v1/subscription_items?subscription=${id}`),
    livemode: false,
    metadata,
    payment_settings: {
      ...nulls('payment_method_options', 'payment_method_types'),
      save_default_payment_method: 'off',
    },
    start_date: now,
    status: 'incomplete',
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
  });
  if (taxed) setTax(subscription, true);
  if (promotion) world.state.subscriptionCodes[id] = promotion.id;
  const { invoice, paid } = billFromNow(world, subscription, 'subscription_create', method);
  if (paid) subscription.status = 'active';
  world.emit('customer.subscription.created', subscription);
  return { subscription, invoice };
}

/** After a payment, applies the pending update, and reactivates a subscription that is past due. */
export function afterPayment(world: World, invoice: Stripe.Invoice): void {
  const subscription = world.objects.subscriptions[subscriptionOf(invoice)];
  if (subscription?.pending_update && subscription.latest_invoice === invoice.id)
    applyPendingUpdate(world, subscription);
  if (!subscription || subscription.status !== 'past_due') return;
  subscription.status = 'active';
  world.emit('customer.subscription.updated', subscription, { status: 'past_due' });
}

export function endSubscription(
  world: World,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  expirePendingUpdate(world, subscription);
  subscription.status = 'canceled';
  subscription.ended_at = world.now();
  subscription.canceled_at ??= world.now();
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
  if (subscription.schedule) {
    const schedule = world.find('subscriptionSchedules', idOf(subscription.schedule));
    schedule.status = 'canceled';
    schedule.canceled_at = world.now();
    world.emit('subscription_schedule.canceled', schedule);
  }
  world.emit('customer.subscription.deleted', subscription);
}

function renew(world: World, subscription: Stripe.Subscription): void {
  if (subscription.cancel_at_period_end)
    return endSubscription(world, subscription, 'cancellation_requested');
  enterDuePhase(world, subscription);
  const item = itemOf(subscription);
  const start = item.current_period_end;
  // Counts months from the billing anchor, so that a cycle of the 31st returns to the 31st after February.
  let months = 1;
  while (monthsAfter(subscription.billing_cycle_anchor, months) <= start) months += 1;
  const previous = { current_period_start: item.current_period_start, current_period_end: start };
  item.current_period_start = start;
  item.current_period_end = monthsAfter(subscription.billing_cycle_anchor, months);
  const period = { start, end: item.current_period_end };
  const invoice = billPeriod(world, subscription, period, 'subscription_cycle');
  if (invoice.status !== 'draft' && !collect(world, invoice)) subscription.status = 'past_due';
  world.emit('customer.subscription.updated', subscription, previous);
}

/** Finalises and charges a renewal invoice that was a draft for an hour, as at Stripe. */
function leaveDraft(world: World, invoice: Stripe.Invoice): void {
  const subscription = world.objects.subscriptions[subscriptionOf(invoice)];
  if (collect(world, finalise(world, invoice)) || subscription?.status !== 'active') return;
  subscription.status = 'past_due';
  world.emit('customer.subscription.updated', subscription, { status: 'active' });
}

function retry(world: World, invoice: Stripe.Invoice): void {
  const subscription = world.objects.subscriptions[subscriptionOf(invoice)];
  if (!subscription || subscription.status === 'canceled') {
    invoice.next_payment_attempt = null;
    return;
  }
  if (collect(world, invoice)) return afterPayment(world, invoice);
  if (invoice.attempt_count > RETRY_AFTER_DAYS.length) endSubscription(world, subscription, 'payment_failed');
}

export function expireSession(world: World, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  session.status = 'expired';
  session.url = null;
  return world.emit('checkout.session.expired', session);
}

/** Returns the earliest action that is due by `until`, such as a renewal or a retry of a card. */
function nextDue(world: World, until: number): { at: number; happen: () => void } | undefined {
  let next: { at: number; happen: () => void } | undefined;
  const consider = (at: number | null | undefined, happen: () => void): void => {
    if (at && at <= until && (!next || at < next.at)) next = { at, happen };
  };
  for (const subscription of Object.values(world.objects.subscriptions))
    consider(subscription.pending_update?.expires_at, () => expirePendingUpdate(world, subscription));
  for (const subscription of Object.values(world.objects.subscriptions))
    if (subscription.status === 'active' || subscription.status === 'past_due')
      consider(itemOf(subscription).current_period_end, () => renew(world, subscription));
  for (const invoice of Object.values(world.objects.invoices))
    if (invoice.status === 'open') consider(invoice.next_payment_attempt, () => retry(world, invoice));
  for (const invoice of Object.values(world.objects.invoices))
    if (invoice.status === 'draft')
      consider(invoice.automatically_finalizes_at, () => leaveDraft(world, invoice));
  for (const reserve of world.state.reserves)
    consider(reserve.releasedAt, () => releaseReserve(world, reserve));
  for (const session of Object.values(world.objects.checkoutSessions))
    if (session.status === 'open') consider(session.expires_at, () => expireSession(world, session));
  for (const payout of Object.values(world.objects.payouts))
    if (payout.status === 'in_transit') consider(payout.arrival_date, () => arrive(world, payout));
  consider(nextAutomaticPayout(world), () => payOutAutomatically(world));
  return next;
}

/** Runs everything due by `until` in order, each at its own simulated time. @returns the number of events */
export function catchUpWithTime(world: World, until: number): number {
  let happened = 0;
  try {
    for (let due = nextDue(world, until); due; due = nextDue(world, until)) {
      world.heldAt = due.at;
      due.happen();
      happened += 1;
    }
  } finally {
    world.heldAt = undefined;
  }
  return happened;
}
