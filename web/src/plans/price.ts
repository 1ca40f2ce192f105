import type { Plan } from '../../../application/subscriptions/contract.js';

/** The price of one credit of a plan, in whole US cents, rounded to the nearest. */
export function centsEach({ priceUsdCents, credits }: Pick<Plan, 'priceUsdCents' | 'credits'>): number {
  return Math.round(priceUsdCents / credits);
}
