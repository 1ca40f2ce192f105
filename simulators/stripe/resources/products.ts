import type Stripe from 'stripe';
import { invalid } from '../faults.js';
import type { Call, Route } from '../router.js';
import { page } from '../listing.js';

function create({ world, parameters }: Call): object {
  const id = parameters.text('id') ?? world.id('prod');
  const name = parameters.required('name');
  const description = parameters.text('description') ?? null;
  const active = parameters.flag('active') ?? true;
  const taxCode = parameters.text('tax_code') ?? null;
  const metadata = parameters.metadata();
  parameters.done();
  if (Object.hasOwn(world.objects.products, id))
    throw invalid('Product already exists.', 'id', 'resource_already_exists');
  const product: Stripe.Product = {
    id,
    object: 'product',
    active,
    created: world.now(),
    default_price: null,
    description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: taxCode,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: world.now(),
    url: null,
  };
  world.objects.products[id] = product;
  world.emit('product.created', product);
  return product;
}

function update({ world, path, parameters }: Call): object {
  const product = world.find('products', path['id'] as string);
  product.name = parameters.text('name') ?? product.name;
  const description = parameters.text('description');
  if (description !== undefined) product.description = description;
  product.active = parameters.flag('active') ?? product.active;
  product.tax_code = parameters.text('tax_code') ?? product.tax_code;
  product.metadata = parameters.metadata(product.metadata);
  parameters.done();
  product.updated = world.now();
  world.emit('product.updated', product);
  return product;
}

function list({ world, parameters }: Call): object {
  const active = parameters.flag('active');
  const ids = parameters.texts('ids');
  const found = world
    .all('products')
    .filter(
      (product) => (active === undefined || product.active === active) && (!ids || ids.includes(product.id)),
    );
  return page(found, parameters, '/v1/products');
}

export const productRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/products', answer: create },
  { method: 'GET', pattern: '/v1/products', answer: list },
  {
    method: 'GET',
    pattern: '/v1/products/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('products', path['id'] as string);
    },
  },
  { method: 'POST', pattern: '/v1/products/:id', answer: update },
];
