import type { Plan, Subscription } from '../../../application/subscriptions/contract.js';

export const centsEach = ({ priceUsdCents, credits }: Pick<Plan, 'priceUsdCents' | 'credits'>): number =>
  Math.round(priceUsdCents / credits);

export const isRunning = ({ status }: Subscription): boolean => status === 'active' || status === 'past_due';
