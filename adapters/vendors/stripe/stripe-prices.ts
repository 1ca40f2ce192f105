import type Stripe from 'stripe';
import { PRODUCTS, type Product, type ProductId } from '../../../domain/subscriptions/products.js';
import type { StripeOptions } from './stripe-client.js';
import { isStripeError } from './stripe-errors.js';
import { stripeProductOf } from './stripe-shapes.js';

type Tax = StripeOptions['tax'];

/**
 * The lookup key contains amount and tax, because both are fixed for a
 * price: subscriptions keep a price with an old amount.
 */
const lookupKeyOf = ({ id, kind, priceUsdCents }: Product, tax: Tax): string =>
  `${stripeProductOf(id)}_${priceUsdCents}_usd_${kind === 'plan' ? 'month' : 'once'}${tax ? '_plus_tax' : ''}`;

export const stripeProductFor = ({ id, name, description }: Product, tax: Tax) => ({
  id: stripeProductOf(id),
  name: `Offcut ${name}`,
  description,
  ...(tax && { tax_code: tax.code }),
});

export async function ensurePrices(stripe: Stripe, tax: Tax): Promise<Map<ProductId, string>> {
  const prices = new Map<ProductId, string>();
  for (const product of PRODUCTS) prices.set(product.id, (await ensurePrice(stripe, product, tax)).id);
  return prices;
}

/** Returns the active price of a product. Ignores a price that has its lookup key but differs otherwise. */
export async function findPrice(stripe: Stripe, sold: Product, tax: Tax): Promise<Stripe.Price | undefined> {
  const found = await stripe.prices.list({ lookup_keys: [lookupKeyOf(sold, tax)], active: true });
  return found.data.find(
    ({ unit_amount, currency, recurring, product, tax_behavior }) =>
      unit_amount === sold.priceUsdCents &&
      currency === 'usd' &&
      (sold.kind === 'plan'
        ? recurring?.interval === 'month' && recurring.interval_count === 1
        : recurring === null) &&
      (!tax || tax_behavior === 'exclusive') &&
      product === stripeProductOf(sold.id),
  );
}

export async function ensurePrice(stripe: Stripe, sold: Product, tax: Tax): Promise<Stripe.Price> {
  const found = await findPrice(stripe, sold, tax);
  if (found) return found;
  const { id: product } = stripeProductFor(sold, tax);
  await stripe.products.create(stripeProductFor(sold, tax)).catch((error: unknown) => {
    if (!isStripeError(error, 'resource_already_exists')) throw error;
  });
  return stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: sold.priceUsdCents,
    ...(sold.kind === 'plan' && { recurring: { interval: 'month' as const } }),
    ...(tax && { tax_behavior: 'exclusive' as const }),
    lookup_key: lookupKeyOf(sold, tax),
    transfer_lookup_key: true,
  });
}
