import type Stripe from 'stripe';
import { invalid } from '../faults.js';
import type { Call, Route } from '../router.js';
import { page } from '../listing.js';
import { decimal } from '../world.js';

function claimLookupKey(
  { world, parameters }: Call,
  lookupKey: string | null | undefined,
  ownId?: string,
): void {
  const transfer = parameters.flag('transfer_lookup_key') ?? false;
  if (!lookupKey) return;
  const holder = world
    .all('prices')
    .find((price) => price.lookup_key === lookupKey && price.active && price.id !== ownId);
  if (!holder) return;
  if (!transfer) throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
  holder.lookup_key = null;
}

function create(call: Call): object {
  const { world, parameters } = call;
  const currency = parameters.required('currency').toLowerCase();
  const product = world.find('products', parameters.required('product'), 'product');
  const unitAmount = parameters.integer('unit_amount') ?? 0;
  if (unitAmount < 0) throw invalid('Invalid non-negative integer', 'unit_amount');
  const lookupKey = parameters.text('lookup_key') ?? null;
  claimLookupKey(call, lookupKey);
  const recurring = parameters.nested('recurring');
  const interval = recurring?.oneOf('interval', ['day', 'week', 'month', 'year'] as const) ?? 'month';
  const intervalCount = recurring?.integer('interval_count') ?? 1;
  recurring?.done();
  const price: Stripe.Price = {
    id: world.id('price'),
    object: 'price',
    active: parameters.flag('active') ?? true,
    billing_scheme: 'per_unit',
    created: world.now(),
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: lookupKey,
    metadata: parameters.metadata(),
    nickname: parameters.text('nickname') ?? null,
    product: product.id,
    recurring: recurring
      ? {
          interval,
          interval_count: intervalCount,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior:
      parameters.oneOf('tax_behavior', ['exclusive', 'inclusive', 'unspecified'] as const) ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: unitAmount,
    unit_amount_decimal: decimal(unitAmount),
  };
  parameters.done();
  world.objects.prices[price.id] = price;
  world.emit('price.created', price);
  return price;
}

function update(call: Call): object {
  const { world, path, parameters } = call;
  const price = world.find('prices', path['id'] as string);
  const lookupKey = parameters.text('lookup_key');
  claimLookupKey(call, lookupKey, price.id);
  if (lookupKey !== undefined) price.lookup_key = lookupKey;
  const nickname = parameters.text('nickname');
  if (nickname !== undefined) price.nickname = nickname;
  price.active = parameters.flag('active') ?? price.active;
  price.metadata = parameters.metadata(price.metadata);
  parameters.done();
  world.emit('price.updated', price);
  return price;
}

function list({ world, parameters }: Call): object {
  const lookupKeys = parameters.texts('lookup_keys');
  const product = parameters.text('product');
  const active = parameters.flag('active');
  const type = parameters.oneOf('type', ['one_time', 'recurring'] as const);
  const found = world
    .all('prices')
    .filter(
      (price) =>
        (!lookupKeys || (price.lookup_key !== null && lookupKeys.includes(price.lookup_key))) &&
        (!product || price.product === product) &&
        (active === undefined || price.active === active) &&
        (!type || price.type === type),
    );
  return page(found, parameters, '/v1/prices');
}

export const priceRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/prices', answer: create },
  { method: 'GET', pattern: '/v1/prices', answer: list },
  {
    method: 'GET',
    pattern: '/v1/prices/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('prices', path['id'] as string);
    },
  },
  { method: 'POST', pattern: '/v1/prices/:id', answer: update },
];

/** Returns a price in the older shape that subscription items still contain. */
export const planOf = (price: Stripe.Price): Stripe.Plan => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: 'per_unit',
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});
