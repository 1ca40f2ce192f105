import type Stripe from 'stripe';
import { invalid } from '../faults.js';
import { list, retrieve, type Call, type Routes } from '../router.js';
import { decimal, nulls } from '../world.js';

function createProduct({ world, parameters }: Call): object {
  const id = parameters.text('id') ?? world.id('prod');
  const name = parameters.required('name');
  if (Object.hasOwn(world.objects.products, id))
    throw invalid('Product already exists.', 'id', 'resource_already_exists');
  const product: Stripe.Product = {
    id,
    object: 'product',
    ...nulls('default_price', 'package_dimensions', 'shippable', 'statement_descriptor', 'tax_details'),
    active: parameters.flag('active') ?? true,
    created: world.now(),
    description: parameters.text('description') ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: parameters.metadata(),
    name,
    tax_code: parameters.text('tax_code') ?? null,
    type: 'service',
    unit_label: null,
    updated: world.now(),
    url: null,
  };
  parameters.done();
  return world.add('products', product, 'product.created');
}

function updateProduct({ world, id, parameters }: Call): object {
  const product = world.find('products', id);
  product.name = parameters.text('name') ?? product.name;
  parameters.assign(product, 'description');
  product.active = parameters.flag('active') ?? product.active;
  product.tax_code = parameters.text('tax_code') ?? product.tax_code;
  product.metadata = parameters.metadata(product.metadata);
  parameters.done();
  product.updated = world.now();
  return world.emit('product.updated', product);
}

function claimLookupKey({ world, id, parameters }: Call, lookupKey: string | null | undefined): void {
  const transfer = parameters.flag('transfer_lookup_key') ?? false;
  if (!lookupKey) return;
  const holder = world
    .all('prices')
    .find((price) => price.lookup_key === lookupKey && price.active && price.id !== id);
  if (!holder) return;
  if (!transfer) throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
  holder.lookup_key = null;
}

function createPrice(call: Call): object {
  const { world, parameters } = call;
  const currency = parameters.required('currency').toLowerCase();
  const product = world.find('products', parameters.required('product'), 'product');
  const unitAmount = parameters.integer('unit_amount') ?? 0;
  if (unitAmount < 0) throw invalid('Invalid non-negative integer', 'unit_amount');
  const lookupKey = parameters.text('lookup_key') ?? null;
  claimLookupKey(call, lookupKey);
  const recurring = parameters.nested('recurring', (given) => ({
    interval: given.oneOf('interval', ['day', 'week', 'month', 'year'] as const) ?? 'month',
    interval_count: given.integer('interval_count') ?? 1,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed' as const,
  }));
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
    recurring: recurring ?? null,
    tax_behavior:
      parameters.oneOf('tax_behavior', ['exclusive', 'inclusive', 'unspecified'] as const) ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: unitAmount,
    unit_amount_decimal: decimal(unitAmount),
  };
  parameters.done();
  return world.add('prices', price, 'price.created');
}

function updatePrice(call: Call): object {
  const { world, id, parameters } = call;
  const price = world.find('prices', id);
  const lookupKey = parameters.text('lookup_key');
  claimLookupKey(call, lookupKey);
  parameters.assign(price, 'lookup_key', 'nickname');
  price.active = parameters.flag('active') ?? price.active;
  price.metadata = parameters.metadata(price.metadata);
  parameters.done();
  return world.emit('price.updated', price);
}

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

export const productRoutes: Routes = {
  'POST /v1/products': createProduct,
  'GET /v1/products': list('products', ['active'], ({ parameters }) => {
    const ids = parameters.texts('ids');
    return ({ id }) => !ids || ids.includes(id);
  }),
  'GET /v1/products/:id': retrieve('products'),
  'POST /v1/products/:id': updateProduct,
  'POST /v1/prices': createPrice,
  'GET /v1/prices': list('prices', ['product', 'active', 'type'], ({ parameters }) => {
    parameters.oneOf('type', ['one_time', 'recurring']);
    const keys = parameters.texts('lookup_keys');
    return ({ lookup_key: key }) => !keys || (key !== null && keys.includes(key));
  }),
  'GET /v1/prices/:id': retrieve('prices'),
  'POST /v1/prices/:id': updatePrice,
};
