import type { Plan } from '../../../application/subscriptions/contract.js';

/** What one credit of a plan costs, in whole US cents, rounded to the nearest. */
export function centsEach({ priceUsdCents, credits }: Pick<Plan, 'priceUsdCents' | 'credits'>): number {
  return Math.round(priceUsdCents / credits);
}
