import type Stripe from 'stripe';
import { invalid } from '../faults.js';
import type { Call } from '../router.js';
import type { World } from '../world.js';
import { addressIn, saveTaxId } from './taxes.js';

export function readTax(
  { parameters }: Call,
  price: Stripe.Price,
  customer: Stripe.Customer | undefined,
): { automatic: boolean; asksAddress: boolean; keepsAddress: boolean; asksTaxId: boolean } {
  const automatic = parameters.enabled('automatic_tax') ?? false;
  const asksTaxId = parameters.enabled('tax_id_collection') ?? false;
  const asksAddress = parameters.oneOf('billing_address_collection', ['auto', 'required']) === 'required';
  const { address, name } =
    parameters.nested('customer_update', (update) => ({
      address: update.oneOf('address', ['auto', 'never']),
      name: update.oneOf('name', ['auto', 'never']),
    })) ?? {};
  if (automatic && price.tax_behavior === 'unspecified')
    throw invalid('The price needs a tax_behavior to calculate tax.', 'line_items[0][price]');
  if (automatic && customer && address !== 'auto')
    throw invalid(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Set `customer_update[address]` to 'auto'.",
      'customer_update[address]',
      'customer_tax_location_invalid',
    );
  if (asksTaxId && customer && name !== 'auto')
    throw invalid(
      "Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to 'auto'.",
      'customer_update[name]',
    );
  return { automatic, asksAddress, keepsAddress: address === 'auto', asksTaxId };
}

/** Saves the address and tax number of the payer with the customer, if the session asked for them. */
export function takeAddress(
  world: World,
  session: Stripe.Checkout.Session,
  customer: Stripe.Customer,
  { place, taxId }: Payer,
): void {
  const whole = session.billing_address_collection === 'required';
  if (!place || !(whole || world.state.checkoutOrders[session.id]?.keepsAddress)) return;
  // With a card, the page asks only for the country, and in some countries for the postal code.
  customer.address = { ...addressIn(place), ...(!whole && { city: null, line1: null, state: null }) };
  if (taxId) {
    saveTaxId(world, customer, taxId);
    // Stripe's page asks a firm for its name, and keeps it with the customer.
    customer.name ||= 'Example Firm';
  }
  world.emit('customer.updated', customer);
}

/** What the payer enters beside the card, if the checkout page asks. `place` is such as `DE` or `US-NY`. */
export interface Payer {
  place: string | undefined;
  taxId: string | undefined;
}
