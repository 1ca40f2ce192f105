import type Stripe from 'stripe';
import { invalid } from '../faults.js';
import { page, retrieve, show, type Call, type Routes } from '../router.js';
import { idOf, nulls, countDown, type World } from '../world.js';

/** Places where tax is collected, with its percentage and local name. No tax is collected elsewhere. */
export const TAXED_PLACES: Record<string, { percentage: number; name: string; type: 'vat' | 'sales_tax' }> = {
  AT: { percentage: 20, name: 'VAT', type: 'vat' },
  DE: { percentage: 19, name: 'VAT', type: 'vat' },
  ES: { percentage: 21, name: 'VAT', type: 'vat' },
  FR: { percentage: 20, name: 'VAT', type: 'vat' },
  GB: { percentage: 20, name: 'VAT', type: 'vat' },
  IE: { percentage: 23, name: 'VAT', type: 'vat' },
  IT: { percentage: 22, name: 'VAT', type: 'vat' },
  NL: { percentage: 21, name: 'VAT', type: 'vat' },
  'US-NY': { percentage: 8.875, name: 'Sales Tax', type: 'sales_tax' },
  'US-TX': { percentage: 6.25, name: 'Sales Tax', type: 'sales_tax' },
};
/** Other places that the checkout page offers. */
export const UNTAXED_PLACES = ['US-CA', 'BR', 'JP'] as const;

export const addressIn = (place: string): Stripe.Address => {
  const [country = '', state = null] = place.split('-');
  return { city: 'Town', country, line1: '1 Street', line2: null, postal_code: '12345', state };
};

const placeOf = ({ address }: Stripe.Customer): string | undefined => {
  const { country, state } = address ?? {};
  return country ? (country === 'US' && state ? `US-${state}` : country) : undefined;
};

const taxIdsOf = (world: World, customer: Stripe.Customer): Stripe.TaxId[] =>
  world.all('taxIds').filter((each) => idOf(each.customer) === customer.id);

/** Stripe requires a country, and in the United States also a postal code. */
const isLocated = ({ address }: Stripe.Customer): boolean =>
  Boolean(address?.country && (address.country !== 'US' || address.postal_code));

/** Returns the `tax` of a customer, which Stripe includes only if the request expands it. */
export function customerTax(customer: Stripe.Customer): Stripe.Customer.Tax {
  const place = isLocated(customer) ? placeOf(customer) : undefined;
  const { country = '', state = null } = customer.address ?? {};
  return {
    automatic_tax:
      place === undefined
        ? 'unrecognized_location'
        : Object.hasOwn(TAXED_PLACES, place)
          ? 'supported'
          : 'not_collecting',
    ip_address: null,
    location: place === undefined ? null : { country: country ?? '', source: 'billing_address', state },
    provider: 'stripe',
  };
}

export function requireLocation(customer: Stripe.Customer): void {
  if (!isLocated(customer))
    throw invalid(
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
      'automatic_tax[enabled]',
      'customer_tax_location_invalid',
    );
}

export function setTax(subscription: Stripe.Subscription, enabled: boolean): void {
  const liability = enabled ? ({ type: 'self' } as const) : null;
  subscription.automatic_tax = { disabled_reason: null, enabled, liability };
}

function rateFor(world: World, place: string): Stripe.TaxRate {
  const { percentage, name, type } = TAXED_PLACES[place] ?? { percentage: 0, name: 'Tax', type: 'vat' };
  const [country = '', state = null] = place.split('-');
  const known = world.all('taxRates').find((rate) => rate.country === country && rate.state === state);
  if (known) return known;
  return world.add('taxRates', {
    id: world.id('txr'),
    object: 'tax_rate',
    active: false,
    country,
    created: world.now(),
    description: null,
    display_name: name,
    effective_percentage: percentage,
    flat_amount: null,
    inclusive: false,
    jurisdiction: place,
    jurisdiction_level: state ? 'state' : 'country',
    livemode: false,
    metadata: {},
    percentage,
    rate_type: 'percentage',
    state,
    tax_type: type,
  });
}

/** Returns the tax on an amount, in the shape of an invoice line. */
function taxesOn(world: World, customer: Stripe.Customer, amount: number): Stripe.InvoiceLineItem.Tax[] {
  const place = placeOf(customer);
  if (!place) return [];
  const rate = rateFor(world, place);
  const isCollected = Object.hasOwn(TAXED_PLACES, place);
  const isReversed = rate.tax_type === 'vat' && isCollected && taxIdsOf(world, customer).length > 0;
  const isDue = isCollected && !isReversed;
  return [
    {
      amount: isDue ? Math.round((amount * rate.percentage) / 100) : 0,
      tax_behavior: 'exclusive',
      tax_rate_details: { tax_rate: rate.id },
      taxability_reason: isDue ? 'standard_rated' : isReversed ? 'reverse_charge' : 'not_collecting',
      taxable_amount: isDue ? amount : 0,
      type: 'tax_rate_details',
    },
  ];
}

/** Adds the tax to an invoice that is about to be finalised, unless a test asked for none. */
export function addTax(world: World, invoice: Stripe.Invoice, customer: Stripe.Customer): void {
  invoice.customer_tax_ids = taxIdsOf(world, customer).map(({ type, value }) => ({ type, value }));
  const { untaxed } = world.state;
  const reason = countDown(untaxed)
    ? untaxed.reason
    : isLocated(customer)
      ? null
      : 'requires_location_inputs';
  invoice.automatic_tax = {
    disabled_reason: reason,
    enabled: reason === null,
    liability: { type: 'self' },
    provider: 'stripe',
    status: reason === null ? 'complete' : null,
  };
  if (reason !== null) return;
  let added = 0;
  const total: Stripe.Invoice.TotalTax[] = [];
  for (const line of invoice.lines.data) {
    const discounts = (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
    line.taxes = taxesOn(world, customer, line.amount - discounts);
    added += line.taxes.reduce((sum, { amount }) => sum + amount, 0);
    total.push(...structuredClone(line.taxes));
  }
  invoice.total_taxes = total;
  invoice.total += added;
  invoice.amount_due += added;
  invoice.amount_remaining += added;
}

/** Saves a customer's tax number. The simulator does not verify it. */
export const saveTaxId = (world: World, customer: Stripe.Customer, value: string): Stripe.TaxId =>
  world.add(
    'taxIds',
    {
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
      verification: { status: 'verified', ...nulls('verified_address', 'verified_name') },
    },
    'customer.tax_id.created',
  );

function updateSettings({ world, parameters }: Call): object {
  const { taxSettings } = world.state;
  parameters.nested('defaults', (given) => {
    const behaviors = ['exclusive', 'inclusive', 'inferred_by_currency'] as const;
    taxSettings.defaults.tax_behavior =
      given.oneOf('tax_behavior', behaviors) ?? taxSettings.defaults.tax_behavior;
    taxSettings.defaults.tax_code = given.text('tax_code') ?? taxSettings.defaults.tax_code;
  });
  parameters.done();
  return world.emit('tax.settings.updated', taxSettings);
}

export const taxRoutes: Routes = {
  'GET /v1/tax/settings': show(({ world }) => world.state.taxSettings),
  'POST /v1/tax/settings': updateSettings,
  'GET /v1/tax_rates/:id': retrieve('taxRates'),
  'GET /v1/customers/:id/tax_ids': (call) =>
    page(taxIdsOf(call.world, call.world.find('customers', call.id, 'customer')), call),
};
