import type Stripe from 'stripe';
import { billFromNow, endSubscription } from '../billing.js';
import { declined, invalid, missing } from '../faults.js';
import { expirePendingUpdate, keepPending, setPrice } from '../pending-updates.js';
import { list, retrieve, type Call, type Routes } from '../router.js';
import { idOf, nulls, type World } from '../world.js';
import { requireLocation, setTax } from '../tax/taxes.js';
import { intentOf } from './invoices.js';
import { itemOf } from './new-invoice.js';

/** Returns the new price of an update, or undefined if the price stays. */
function priceChange(
  { world, parameters }: Call,
  subscription: Stripe.Subscription,
): Stripe.Price | undefined {
  const item = itemOf(subscription);
  const prices = parameters.each('items', (given) => {
    const id = given.text('id');
    if (!id) throw missing('items[0][id]');
    if (id !== item.id)
      throw invalid(`No such subscription item: '${id}'`, 'items[0][id]', 'resource_missing');
    const price = world.find('prices', given.required('price'), 'items[0][price]');
    if (!price.recurring) throw invalid('The price must be recurring', 'items[0][price]');
    if ((given.integer('quantity') ?? item.quantity) !== item.quantity)
      throw invalid('This simulator keeps quantities', 'items[0][quantity]');
    return price;
  });
  if (prices && prices.length !== 1) throw invalid('This simulator keeps one item per subscription', 'items');
  const [price] = prices ?? [];
  return price?.id === item.price.id ? undefined : price;
}

function setCancelAtPeriodEnd(world: World, subscription: Stripe.Subscription, cancel: boolean): void {
  if (subscription.schedule)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${idOf(subscription.schedule)}\`, and ` +
        'updating any cancelation behavior directly is not allowed. Please update the schedule instead.',
    );
  subscription.cancel_at_period_end = cancel;
  subscription.cancel_at = cancel ? itemOf(subscription).current_period_end : null;
  subscription.canceled_at = cancel ? world.now() : null;
  subscription.cancellation_details = {
    ...nulls('comment', 'feedback', 'feedback_option'),
    reason: cancel ? 'cancellation_requested' : null,
  };
}

function update(call: Call): object {
  const { world, id, parameters } = call;
  const subscription = world.find('subscriptions', id);
  if (subscription.status === 'canceled')
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  const price = priceChange(call, subscription);
  const prorations = parameters.oneOf('proration_behavior', ['none', 'create_prorations', 'always_invoice']);
  const anchor = parameters.nested('billing_cycle_anchor', (given) =>
    given.oneOf('type', ['now', 'unchanged']),
  );
  const behaviour = parameters.oneOf('payment_behavior', [
    'allow_incomplete',
    'error_if_incomplete',
    'default_incomplete',
    'pending_if_incomplete',
  ]);
  const cancel = parameters.flag('cancel_at_period_end');
  const metadata = parameters.metadata(subscription.metadata);
  const method = parameters.text('default_payment_method');
  const taxed = parameters.enabled('automatic_tax');
  parameters.done();
  if (price && prorations !== 'none')
    throw invalid('This simulator makes no prorations: pass proration_behavior=none', 'proration_behavior');
  if (behaviour === 'pending_if_incomplete' && (cancel !== undefined || method || taxed !== undefined))
    throw invalid('Only changes of items can be pending.', 'payment_behavior');
  if (taxed) requireLocation(world.find('customers', idOf(subscription.customer), 'customer'));
  if (price) expirePendingUpdate(world, subscription);
  const before = structuredClone(subscription);
  subscription.metadata = metadata;
  if (taxed !== undefined) setTax(subscription, taxed);
  if (method) subscription.default_payment_method = world.find('paymentMethods', method).id;
  if (cancel !== undefined && cancel !== subscription.cancel_at_period_end)
    setCancelAtPeriodEnd(world, subscription, cancel);
  if (price) setPrice(subscription, price);
  if (anchor === 'now') {
    const { invoice, paid } = billFromNow(world, subscription, 'subscription_update');
    if (!paid && behaviour === 'error_if_incomplete') throw declined(intentOf(world, invoice), false);
    if (!paid && behaviour === 'pending_if_incomplete') keepPending(world, subscription, before);
    else if (!paid) subscription.status = 'past_due';
  }
  return world.emit('customer.subscription.updated', subscription);
}

export const subscriptionRoutes: Routes = {
  'GET /v1/subscriptions': list('subscriptions', ['customer', 'created'], ({ parameters }) => {
    const status = parameters.text('status');
    const price = parameters.text('price');
    const taxed = parameters.enabled('automatic_tax');
    return (subscription) =>
      // Without a status, Stripe omits cancelled subscriptions.
      (status === 'all' || (status ? subscription.status === status : subscription.status !== 'canceled')) &&
      (!price || itemOf(subscription).price.id === price) &&
      (taxed === undefined || subscription.automatic_tax.enabled === taxed);
  }),
  'GET /v1/subscriptions/:id': retrieve('subscriptions'),
  'POST /v1/subscriptions/:id': update,
  'DELETE /v1/subscriptions/:id': ({ world, id, parameters }) => {
    parameters.flag('invoice_now');
    parameters.flag('prorate');
    parameters.done();
    const subscription = world.find('subscriptions', id);
    if (subscription.status === 'canceled')
      throw invalid('No such subscription: it was canceled', 'id', 'resource_missing');
    endSubscription(world, subscription, 'cancellation_requested');
    return subscription;
  },
};
