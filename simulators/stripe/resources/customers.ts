import type Stripe from 'stripe';
import { list, show, type Call, type Routes } from '../router.js';
import { idOf, nulls, type World } from '../world.js';

export function createCustomer(
  world: World,
  given: { email?: string | null; name?: string | null; metadata?: Record<string, string> },
): Stripe.Customer {
  const id = world.id('cus');
  return world.add(
    'customers',
    {
      id,
      object: 'customer',
      ...nulls('address', 'currency', 'customer_account', 'default_source', 'description', 'discount'),
      ...nulls('phone', 'shipping', 'test_clock'),
      balance: 0,
      created: world.now(),
      delinquent: false,
      email: given.email ?? null,
      invoice_prefix: id.slice(-8).toUpperCase(),
      invoice_settings: nulls('custom_fields', 'default_payment_method', 'footer', 'rendering_options'),
      livemode: false,
      metadata: given.metadata ?? {},
      name: given.name ?? null,
      next_invoice_sequence: 1,
      preferred_locales: [],
      tax_exempt: 'none',
    },
    'customer.created',
  );
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

function update({ world, id, parameters }: Call): object {
  const customer = world.find('customers', id);
  parameters.assign(customer, 'email', 'name', 'description', 'phone');
  if (parameters.text('shipping') === null) customer.shipping = null;
  customer.balance = parameters.integer('balance') ?? customer.balance;
  customer.metadata = parameters.metadata(customer.metadata);
  if (parameters.unset('address')) customer.address = null;
  else
    parameters.nested('address', (address) => {
      const [country = null, state = null, postal_code = null] = ['country', 'state', 'postal_code'].map(
        (field) => address.text(field) ?? null,
      );
      customer.address = { city: null, country, line1: null, line2: null, postal_code, state };
    });
  const method = parameters.nested('invoice_settings', (settings) => settings.text('default_payment_method'));
  parameters.done();
  if (method !== undefined) {
    if (method) world.find('paymentMethods', method, 'invoice_settings[default_payment_method]');
    customer.invoice_settings.default_payment_method = method;
  }
  return world.emit('customer.updated', customer);
}

function remove({ world, id }: Call): object {
  const customer = world.find('customers', id);
  delete world.objects.customers[id];
  for (const method of world.all('paymentMethods'))
    if (idOf(method.customer) === id) {
      method.customer = null;
      delete world.state.cards[method.id];
    }
  const deleted = { id, object: 'customer', deleted: true } as const;
  world.state.deletedCustomers[id] = deleted;
  world.emit('customer.deleted', customer);
  return deleted;
}

export const customerRoutes: Routes = {
  'POST /v1/customers': create,
  'GET /v1/customers': list('customers', ['email', 'created']),
  'GET /v1/customers/:id': show(({ world, id }) => {
    const { deletedCustomers } = world.state;
    return (Object.hasOwn(deletedCustomers, id) && deletedCustomers[id]) || world.find('customers', id);
  }),
  'POST /v1/customers/:id': update,
  'DELETE /v1/customers/:id': show(remove),
};
