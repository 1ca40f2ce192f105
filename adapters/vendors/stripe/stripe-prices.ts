import type Stripe from 'stripe';
import { PLANS, type PlanId } from '../../../domain/subscriptions/plans.js';
import { isStripeError } from './stripe-errors.js';
import { productIdOf } from './stripe-shapes.js';

/** Finds or makes the product and price of every plan; safe to repeat. */
export async function ensurePrices(stripe: Stripe): Promise<Map<PlanId, string>> {
  const prices = new Map<PlanId, string>();
  for (const plan of PLANS) {
    const product = productIdOf(plan.id);
    // The amount is part of the key: a new price leaves running subscriptions on the old one.
    const lookupKey = `${product}_${plan.priceUsdCents}_usd_month`;
    const found = await stripe.prices.list({ lookup_keys: [lookupKey], active: true });
    let price = found.data[0];
    if (!price) {
      await stripe.products
        .create({ id: product, name: `Offcut ${plan.name}`, description: plan.description })
        .catch((error: unknown) => {
          if (!isStripeError(error, 'resource_already_exists')) throw error;
        });
      price = await stripe.prices.create({
        product,
        currency: 'usd',
        unit_amount: plan.priceUsdCents,
        recurring: { interval: 'month' },
        lookup_key: lookupKey,
        transfer_lookup_key: true,
      });
    }
    prices.set(plan.id, price.id);
  }
  return prices;
}
