import type Stripe from 'stripe';
import { refusalIn } from './stripe-errors.js';
import { idOf } from './stripe-shapes.js';

interface Change {
  subscriptionId: string;
  idempotencyKey: string;
}

interface PriceChange extends Change {
  price: string;
  /** Whether Stripe is to calculate tax, also for an older subscription that was not taxed yet. */
  taxed: boolean;
}

export const retrieve = (stripe: Stripe, subscriptionId: string): Promise<Stripe.Subscription> =>
  stripe.subscriptions.retrieve(subscriptionId, {
    expand: ['schedule.phases.items.price', 'latest_invoice'],
  });

/** Returns the running schedule of a subscription, whose `schedule` must be expanded. */
function runningSchedule({ schedule }: Stripe.Subscription): Stripe.SubscriptionSchedule | undefined {
  const found = schedule as Stripe.SubscriptionSchedule | null;
  return found?.status === 'active' || found?.status === 'not_started' ? found : undefined;
}

async function release(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  const schedule = runningSchedule(subscription);
  if (schedule) await stripe.subscriptionSchedules.release(schedule.id);
}

/**
 * Changes the plan at once, at full price, with a new billing cycle. The change stays pending while the card is refused
 * or the bank wants a confirmation. A repeated call does not bill again, because the subscription already has the new
 * price, as its current or its pending price.
 */
export async function upgrade(
  stripe: Stripe,
  options: PriceChange & { call: Stripe.RequestOptions },
): Promise<void> {
  const { subscriptionId, price, idempotencyKey, call } = options;
  const current = await retrieve(stripe, subscriptionId);
  if (options.taxed) await withTax(stripe, current);
  const item = current.items.data[0];
  const pending = current.pending_update?.subscription_items?.[0]?.price;
  if (item?.price.id !== price && idOf(pending) !== price) {
    const after = await stripe.subscriptions.update(
      subscriptionId,
      {
        items: [{ id: item?.id ?? '', price }],
        proration_behavior: 'none',
        billing_cycle_anchor: { type: 'now' },
        payment_behavior: 'pending_if_incomplete',
      },
      call,
    );
    if (after.pending_update) return;
  }
  // A scheduled change is withdrawn only now, so that it stays scheduled until the upgrade is paid.
  if (!current.pending_update) await withdraw(stripe, current, idempotencyKey);
}

/** Adds tax in a separate call: Stripe allows no other parameters in a change that may stay pending. */
async function withTax(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  try {
    await addTax(stripe, subscription);
  } catch (error) {
    // If Stripe does not know the place, the plan changes without tax, and the untaxed sale raises an alert.
    if (!isPlaceUnknown(error)) throw error;
  }
}

export const isPlaceUnknown = (error: unknown): boolean =>
  refusalIn(error)?.code === 'customer_tax_location_invalid';

/**
 * Taxes a subscription from its next invoice on. Each phase of its schedule sets tax again, so it is changed too. The
 * schedule comes first: if the second call fails, a retry still finds the subscription untaxed.
 */
export async function addTax(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  if (subscription.automatic_tax.enabled) return;
  const taxed = { automatic_tax: { enabled: true } };
  const schedule = runningSchedule(subscription);
  if (schedule)
    await stripe.subscriptionSchedules.update(schedule.id, {
      default_settings: taxed,
      proration_behavior: 'none',
    });
  await stripe.subscriptions.update(subscription.id, taxed);
}

/** Drops a pending change by voiding its invoice. Ignores an invoice that is no longer open. */
export async function forgetUpgrade(
  stripe: Stripe,
  invoiceId: string,
  idempotencyKey: string,
): Promise<void> {
  try {
    await stripe.invoices.voidInvoice(invoiceId, {}, { idempotencyKey });
  } catch (error) {
    // The invoice is already paid or void. The subscription shows which.
    if (!refusalIn(error)) throw error;
  }
}

/** Schedules two phases: the paid period as it is, then the lower price. After them, Stripe removes the schedule. */
export async function scheduleDowngrade(
  stripe: Stripe,
  { subscriptionId, price, idempotencyKey, taxed }: PriceChange,
): Promise<void> {
  const current = await retrieve(stripe, subscriptionId);
  if (taxed) await withTax(stripe, current);
  if (current.cancel_at_period_end)
    await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: false });
  const schedule =
    (current.schedule as Stripe.SubscriptionSchedule | null) ??
    (await stripe.subscriptionSchedules.create(
      { from_subscription: subscriptionId },
      { idempotencyKey: `${idempotencyKey}:schedule` },
    ));
  const item = current.items.data[0] as Stripe.SubscriptionItem;
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      {
        items: [{ price: item.price.id, quantity: 1 }],
        start_date: schedule.phases[0]?.start_date ?? item.current_period_start,
        end_date: item.current_period_end,
      },
      { items: [{ price, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
    ],
  });
}

export async function scheduleCancellation(
  stripe: Stripe,
  { subscriptionId, idempotencyKey }: Change,
): Promise<void> {
  await release(stripe, await retrieve(stripe, subscriptionId));
  await stripe.subscriptions.update(
    subscriptionId,
    { cancel_at_period_end: true },
    { idempotencyKey: `${idempotencyKey}:cancel` },
  );
}

export async function withdrawScheduledChange(
  stripe: Stripe,
  { subscriptionId, idempotencyKey }: Change,
): Promise<void> {
  await withdraw(stripe, await retrieve(stripe, subscriptionId), idempotencyKey);
}

async function withdraw(stripe: Stripe, current: Stripe.Subscription, idempotencyKey: string): Promise<void> {
  await release(stripe, current);
  if (current.cancel_at_period_end)
    await stripe.subscriptions.update(
      current.id,
      { cancel_at_period_end: false },
      { idempotencyKey: `${idempotencyKey}:resume` },
    );
}
