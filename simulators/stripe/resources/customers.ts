import type Stripe from 'stripe';
import type { Call, Route } from '../router.js';
import { page } from '../listing.js';
import { idOf, type World } from '../world.js';

/** Creates a customer and emits its event. */
export function createCustomer(
  world: World,
  given: { email?: string | null; name?: string | null; metadata?: Record<string, string> },
): Stripe.Customer {
  const id = world.id('cus');
  const customer: Stripe.Customer = {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: world.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: given.email ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: given.metadata ?? {},
    name: given.name ?? null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  world.objects.customers[id] = customer;
  world.emit('customer.created', customer);
  return customer;
}

function create({ world, parameters }: Call): object {
  const given = {
    email: parameters.text('email'),
    name: parameters.text('name'),
    metadata: parameters.metadata(),
  };
  const description = parameters.text('description');
  parameters.done();
  const customer = createCustomer(world, given);
  customer.description = description ?? null;
  return customer;
}

function update({ world, path, parameters }: Call): object {
  const customer = world.find('customers', path['id'] as string);
  for (const field of ['email', 'name', 'description', 'phone'] as const) {
    const value = parameters.text(field);
    if (value !== undefined) customer[field] = value;
  }
  if (parameters.text('shipping') === null) customer.shipping = null;
  customer.balance = parameters.integer('balance') ?? customer.balance;
  customer.metadata = parameters.metadata(customer.metadata);
  const address = parameters.unset('address') ? null : parameters.nested('address');
  if (address === null) customer.address = null;
  else if (address) {
    const [country = null, state = null, postal_code = null] = ['country', 'state', 'postal_code'].map(
      (field) => address.text(field) ?? null,
    );
    address.done();
    customer.address = { city: null, country, line1: null, line2: null, postal_code, state };
  }
  const settings = parameters.nested('invoice_settings');
  const method = settings?.text('default_payment_method');
  settings?.done();
  parameters.done();
  if (method !== undefined) {
    if (method) world.find('paymentMethods', method, 'invoice_settings[default_payment_method]');
    customer.invoice_settings.default_payment_method = method;
  }
  world.emit('customer.updated', customer);
  return customer;
}

function remove({ world, path, parameters }: Call): object {
  parameters.done();
  const customer = world.find('customers', path['id'] as string);
  delete world.objects.customers[customer.id];
  for (const method of world.all('paymentMethods'))
    if (idOf(method.customer) === customer.id) {
      method.customer = null;
      delete world.state.cards[method.id];
    }
  const deleted = { id: customer.id, object: 'customer', deleted: true } as const;
  world.state.deletedCustomers[customer.id] = deleted;
  world.emit('customer.deleted', customer);
  return deleted;
}

function list({ world, parameters }: Call): object {
  const email = parameters.text('email');
  const created = parameters.range('created');
  const found = world
    .all('customers')
    .filter(
      (customer) => (email ? customer.email === email : true) && (created ? created(customer.created) : true),
    );
  return page(found, parameters, '/v1/customers');
}

function paymentMethods({ world, path, parameters }: Call): object {
  const customer = world.find('customers', path['id'] as string, 'customer');
  parameters.text('type');
  const found = world.all('paymentMethods').filter((method) => idOf(method.customer) === customer.id);
  return page(found, parameters, `/v1/customers/${customer.id}/payment_methods`);
}

export const customerRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/customers', answer: create },
  { method: 'GET', pattern: '/v1/customers', answer: list },
  {
    method: 'GET',
    pattern: '/v1/customers/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      const id = path['id'] as string;
      const { deletedCustomers } = world.state;
      return (Object.hasOwn(deletedCustomers, id) && deletedCustomers[id]) || world.find('customers', id);
    },
  },
  { method: 'POST', pattern: '/v1/customers/:id', answer: update },
  { method: 'DELETE', pattern: '/v1/customers/:id', answer: remove },
  { method: 'GET', pattern: '/v1/customers/:id/payment_methods', answer: paymentMethods },
];
