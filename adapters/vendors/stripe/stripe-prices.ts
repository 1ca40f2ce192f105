import type Stripe from 'stripe';
import { PLANS, type Plan, type PlanId } from '../../../domain/subscriptions/plans.js';
import type { StripeOptions } from './stripe-client.js';
import { isStripeError } from './stripe-errors.js';
import { productIdOf } from './stripe-shapes.js';

type Tax = StripeOptions['tax'];

/** Contains amount and tax, because both are fixed for a price: subscriptions keep a price with an old amount. */
const lookupKeyOf = ({ id, priceUsdCents }: Plan, tax: Tax): string =>
  `${productIdOf(id)}_${priceUsdCents}_usd_month${tax ? '_plus_tax' : ''}`;

export const productOf = ({ id, name, description }: Plan, tax: Tax) => ({
  id: productIdOf(id),
  name: `Offcut ${name}`,
  description,
  ...(tax && { tax_code: tax.code }),
});

export async function ensurePrices(stripe: Stripe, tax: Tax): Promise<Map<PlanId, string>> {
  const prices = new Map<PlanId, string>();
  for (const plan of PLANS) prices.set(plan.id, (await ensurePrice(stripe, plan, tax)).id);
  return prices;
}

/** Returns the active price of a plan. Ignores a price that has the plan's lookup key but differs from the plan. */
export async function findPrice(stripe: Stripe, plan: Plan, tax: Tax): Promise<Stripe.Price | undefined> {
  const found = await stripe.prices.list({ lookup_keys: [lookupKeyOf(plan, tax)], active: true });
  return found.data.find(
    ({ unit_amount, currency, recurring, product, tax_behavior }) =>
      unit_amount === plan.priceUsdCents &&
      currency === 'usd' &&
      recurring?.interval === 'month' &&
      recurring.interval_count === 1 &&
      (!tax || tax_behavior === 'exclusive') &&
      product === productIdOf(plan.id),
  );
}

export async function ensurePrice(stripe: Stripe, plan: Plan, tax: Tax): Promise<Stripe.Price> {
  const found = await findPrice(stripe, plan, tax);
  if (found) return found;
  const { id: product } = productOf(plan, tax);
  await stripe.products.create(productOf(plan, tax)).catch((error: unknown) => {
    if (!isStripeError(error, 'resource_already_exists')) throw error;
  });
  return stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: plan.priceUsdCents,
    recurring: { interval: 'month' },
    ...(tax && { tax_behavior: 'exclusive' as const }),
    lookup_key: lookupKeyOf(plan, tax),
    transfer_lookup_key: true,
  });
}
