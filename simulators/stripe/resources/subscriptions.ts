import type Stripe from 'stripe';
import { billFromNow, endSubscription } from '../billing.js';
import { declined, invalid, missing } from '../faults.js';
import { page } from '../listing.js';
import { expirePendingUpdate, keepPending, setPrice } from '../pending-updates.js';
import type { Call, Route } from '../router.js';
import { idOf, type World } from '../world.js';
import { requireLocation, setTax } from '../tax/taxes.js';
import { intentOf } from './invoices.js';

/** Returns the new price of an update, or undefined if the price stays. */
function priceChange(
  { world, parameters }: Call,
  subscription: Stripe.Subscription,
): Stripe.Price | undefined {
  const items = parameters.each('items');
  if (!items) return undefined;
  if (items.length !== 1) throw invalid('This simulator keeps one item per subscription', 'items');
  const [given] = items as [(typeof items)[number]];
  const item = subscription.items.data[0] as Stripe.SubscriptionItem;
  const id = given.text('id');
  if (!id) throw missing('items[0][id]');
  if (id !== item.id) throw invalid(`No such subscription item: '${id}'`, 'items[0][id]', 'resource_missing');
  const price = world.find('prices', given.required('price'), 'items[0][price]');
  const quantity = given.integer('quantity') ?? item.quantity;
  given.done();
  if (!price.recurring) throw invalid('The price must be recurring', 'items[0][price]');
  if (quantity !== item.quantity) throw invalid('This simulator keeps quantities', 'items[0][quantity]');
  return price.id === item.price.id ? undefined : price;
}

function setCancelAtPeriodEnd(world: World, subscription: Stripe.Subscription, cancel: boolean): void {
  if (subscription.schedule)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${idOf(subscription.schedule)}\`, and ` +
        'updating any cancelation behavior directly is not allowed. Please update the schedule instead.',
    );
  subscription.cancel_at_period_end = cancel;
  const item = subscription.items.data[0] as Stripe.SubscriptionItem;
  subscription.cancel_at = cancel ? item.current_period_end : null;
  subscription.canceled_at = cancel ? world.now() : null;
  subscription.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    reason: cancel ? 'cancellation_requested' : null,
  };
}

function update(call: Call): object {
  const { world, path, parameters } = call;
  const subscription = world.find('subscriptions', path['id'] as string);
  if (subscription.status === 'canceled')
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  const price = priceChange(call, subscription);
  const prorations = parameters.oneOf('proration_behavior', [
    'none',
    'create_prorations',
    'always_invoice',
  ] as const);
  const given = parameters.nested('billing_cycle_anchor');
  const anchor = given?.oneOf('type', ['now', 'unchanged'] as const);
  given?.done();
  const behaviour = parameters.oneOf('payment_behavior', [
    'allow_incomplete',
    'error_if_incomplete',
    'default_incomplete',
    'pending_if_incomplete',
  ] as const);
  const cancel = parameters.flag('cancel_at_period_end');
  const metadata = parameters.metadata(subscription.metadata);
  const method = parameters.text('default_payment_method');
  const tax = parameters.nested('automatic_tax');
  const taxed = tax?.flag('enabled');
  tax?.done();
  parameters.done();
  if (price && prorations !== 'none')
    throw invalid('This simulator makes no prorations: pass proration_behavior=none', 'proration_behavior');
  if (behaviour === 'pending_if_incomplete' && (cancel !== undefined || method || tax))
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
  world.emit('customer.subscription.updated', subscription);
  return subscription;
}

function list({ world, parameters }: Call): object {
  const customer = parameters.text('customer');
  const status = parameters.text('status');
  const price = parameters.text('price');
  const tax = parameters.nested('automatic_tax');
  const taxed = tax?.flag('enabled');
  tax?.done();
  const created = parameters.range('created');
  const found = world.all('subscriptions').filter(
    (subscription) =>
      (!customer || idOf(subscription.customer) === customer) &&
      // Without a status, Stripe omits cancelled subscriptions.
      (status === 'all' || (status ? subscription.status === status : subscription.status !== 'canceled')) &&
      (!price || subscription.items.data[0]?.price.id === price) &&
      (taxed === undefined || subscription.automatic_tax.enabled === taxed) &&
      (!created || created(subscription.created)),
  );
  return page(found, parameters, '/v1/subscriptions');
}

export const subscriptionRoutes: Route[] = [
  { method: 'GET', pattern: '/v1/subscriptions', answer: list },
  {
    method: 'GET',
    pattern: '/v1/subscriptions/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('subscriptions', path['id'] as string);
    },
  },
  { method: 'POST', pattern: '/v1/subscriptions/:id', answer: update },
  {
    method: 'DELETE',
    pattern: '/v1/subscriptions/:id',
    answer: ({ world, path, parameters }) => {
      parameters.flag('invoice_now');
      parameters.flag('prorate');
      parameters.done();
      const subscription = world.find('subscriptions', path['id'] as string);
      if (subscription.status === 'canceled')
        throw invalid('No such subscription: it was canceled', 'id', 'resource_missing');
      endSubscription(world, subscription, 'cancellation_requested');
      return subscription;
    },
  },
];
