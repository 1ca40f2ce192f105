import type Stripe from 'stripe';
import { PLANS, type Plan, type PlanId } from '../../../domain/subscriptions/plans.js';
import { isStripeError } from './stripe-errors.js';
import { productIdOf } from './stripe-shapes.js';

/** The amount is part of the key: a new price leaves running subscriptions on the old one. */
const lookupKeyOf = ({ id, priceUsdCents }: Plan): string => `${productIdOf(id)}_${priceUsdCents}_usd_month`;

export const productOf = ({ id, name, description }: Plan) => ({
  id: productIdOf(id),
  name: `Offcut ${name}`,
  description,
});

/** Finds or makes the product and price of every plan; safe to repeat. */
export async function ensurePrices(stripe: Stripe): Promise<Map<PlanId, string>> {
  const prices = new Map<PlanId, string>();
  for (const plan of PLANS) prices.set(plan.id, (await ensurePrice(stripe, plan)).id);
  return prices;
}

/** The active price of a plan, whatever else has its key. */
export async function findPrice(stripe: Stripe, plan: Plan): Promise<Stripe.Price | undefined> {
  const found = await stripe.prices.list({ lookup_keys: [lookupKeyOf(plan)], active: true });
  return found.data.find(
    ({ unit_amount, currency, recurring, product }) =>
      unit_amount === plan.priceUsdCents &&
      currency === 'usd' &&
      recurring?.interval === 'month' &&
      recurring.interval_count === 1 &&
      product === productIdOf(plan.id),
  );
}

export async function ensurePrice(stripe: Stripe, plan: Plan): Promise<Stripe.Price> {
  const found = await findPrice(stripe, plan);
  if (found) return found;
  const { id: product } = productOf(plan);
  await stripe.products.create(productOf(plan)).catch((error: unknown) => {
    if (!isStripeError(error, 'resource_already_exists')) throw error;
  });
  return stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: plan.priceUsdCents,
    recurring: { interval: 'month' },
    lookup_key: lookupKeyOf(plan),
    transfer_lookup_key: true,
  });
}
