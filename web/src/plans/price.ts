import type { Plan, Subscription } from '../../../application/subscriptions/contract.js';

/** The price of one credit of a plan, in whole US cents, rounded to the nearest. */
export const centsEach = ({ priceUsdCents, credits }: Pick<Plan, 'priceUsdCents' | 'credits'>): number =>
  Math.round(priceUsdCents / credits);

export const isRunning = ({ status }: Subscription): boolean => status === 'active' || status === 'past_due';
