import type Stripe from 'stripe';
import { page } from '../listing.js';
import type { Call, Route } from '../router.js';
import { taxIdsOf } from './taxes.js';
import type { World } from '../world.js';

/** Saves a customer's tax number. The simulator does not verify it. */
export function saveTaxId(world: World, customer: Stripe.Customer, value: string): Stripe.TaxId {
  const taxId: Stripe.TaxId = {
    id: world.id('txi'),
    object: 'tax_id',
    country: customer.address?.country ?? null,
    created: world.now(),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    owner: { customer: customer.id, customer_account: null, type: 'customer' },
    type: 'eu_vat',
    value,
    verification: { status: 'verified', verified_address: null, verified_name: null },
  };
  world.objects.taxIds[taxId.id] = taxId;
  world.emit('customer.tax_id.created', taxId);
  return taxId;
}

function updateSettings({ world, parameters }: Call): object {
  const defaults = parameters.nested('defaults');
  const behavior = defaults?.oneOf('tax_behavior', [
    'exclusive',
    'inclusive',
    'inferred_by_currency',
  ] as const);
  const code = defaults?.text('tax_code');
  defaults?.done();
  parameters.done();
  const { taxSettings } = world.state;
  taxSettings.defaults.tax_behavior = behavior ?? taxSettings.defaults.tax_behavior;
  taxSettings.defaults.tax_code = code ?? taxSettings.defaults.tax_code;
  world.emit('tax.settings.updated', taxSettings);
  return taxSettings;
}

export const taxRoutes: Route[] = [
  {
    method: 'GET',
    pattern: '/v1/tax/settings',
    answer: ({ world, parameters }) => {
      parameters.done();
      return world.state.taxSettings;
    },
  },
  { method: 'POST', pattern: '/v1/tax/settings', answer: updateSettings },
  {
    method: 'GET',
    pattern: '/v1/tax_rates/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('taxRates', path['id'] as string);
    },
  },
  {
    method: 'GET',
    pattern: '/v1/customers/:id/tax_ids',
    answer: ({ world, path, parameters }) => {
      const customer = world.find('customers', path['id'] as string, 'customer');
      return page(taxIdsOf(world, customer), parameters, `/v1/customers/${customer.id}/tax_ids`);
    },
  },
];
