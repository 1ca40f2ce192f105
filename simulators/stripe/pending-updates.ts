import type Stripe from 'stripe';
import { subscriptionOf, voidInvoice } from './resources/invoices.js';
import { itemOf } from './resources/new-invoice.js';
import { planOf } from './resources/products.js';
import { idOf, nulls, type World } from './world.js';

const PENDING_SECONDS = 23 * 3_600;

/** Changes the price of a subscription from its next bill. */
export function setPrice(subscription: Stripe.Subscription, price: Stripe.Price): void {
  const item = itemOf(subscription);
  item.price = structuredClone(price);
  item.plan = planOf(price);
}

/** The invoice that a pending update waits for. */
const invoiceOf = (world: World, subscription: Stripe.Subscription): Stripe.Invoice =>
  world.find('invoices', idOf(subscription.latest_invoice as string));

/**
 * Reverts an update whose invoice was not paid, and keeps it as pending.
 * @param before the subscription before the update
 */
export function keepPending(
  world: World,
  subscription: Stripe.Subscription,
  before: Stripe.Subscription,
): void {
  const wanted = structuredClone(itemOf(subscription));
  const anchor = subscription.billing_cycle_anchor;
  const { latest_invoice } = subscription;
  Object.assign(subscription, structuredClone(before), { latest_invoice });
  // The card is not retried automatically: the payer confirms, or the update expires.
  invoiceOf(world, subscription).next_payment_attempt = null;
  subscription.pending_update = {
    ...nulls('cancel_at_period_end', 'discount', 'discounts', 'metadata', 'trial_end', 'trial_from_plan'),
    billing_cycle_anchor: anchor,
    expires_at: Math.min(world.now() + PENDING_SECONDS, itemOf(subscription).current_period_end),
    subscription_items: [wanted],
  };
}

export function applyPendingUpdate(world: World, subscription: Stripe.Subscription): void {
  const update = subscription.pending_update;
  if (!update) return;
  subscription.items.data = structuredClone(update.subscription_items ?? subscription.items.data);
  subscription.billing_cycle_anchor = update.billing_cycle_anchor ?? subscription.billing_cycle_anchor;
  subscription.pending_update = null;
  world.emit('customer.subscription.updated', subscription, { pending_update: update });
  world.emit('customer.subscription.pending_update_applied', subscription);
}

export function dropPendingUpdate(world: World, invoice: Stripe.Invoice): void {
  const subscription = world.objects.subscriptions[subscriptionOf(invoice)];
  const update = subscription?.pending_update;
  if (!subscription || !update || idOf(subscription.latest_invoice as string) !== invoice.id) return;
  subscription.pending_update = null;
  world.emit('customer.subscription.updated', subscription, { pending_update: update });
  world.emit('customer.subscription.pending_update_expired', subscription);
}

/** Voids the invoice of a pending update that expired or was replaced. */
export function expirePendingUpdate(world: World, subscription: Stripe.Subscription): void {
  if (!subscription.pending_update) return;
  const invoice = invoiceOf(world, subscription);
  voidInvoice(world, invoice);
  dropPendingUpdate(world, invoice);
}
