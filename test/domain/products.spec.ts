import { describe, expect, it } from '@jest/globals';
import { PLANS } from '../../domain/subscriptions/plans.js';
import {
  asDearAsPlans,
  DEAREST_CREDIT_MICRO_USD,
  productOf,
  PRODUCTS,
  soldName,
  TOP_UPS,
  unitPriceMicroUsd,
  type TopUp,
} from '../../domain/subscriptions/products.js';

const [TOP_UP] = TOP_UPS as readonly [TopUp];

describe('products', () => {
  it('[SELL-720] a credit of a top-up costs at least what a credit of any plan costs, or the shop does not start', () => {
    for (const topUp of TOP_UPS)
      for (const plan of PLANS)
        expect(topUp.priceUsdCents * plan.credits).toBeGreaterThanOrEqual(plan.priceUsdCents * topUp.credits);
    // Starter asks 19.98 cents a credit: 50 for 9.99 are as dear, a cent less is not.
    const starter = { ...TOP_UP, credits: 50, priceUsdCents: 999 };
    expect(asDearAsPlans([starter], PLANS)).toEqual([starter]);
    expect(() => asDearAsPlans([TOP_UP, { ...starter, priceUsdCents: 998 }], PLANS)).toThrow(
      'is cheaper than a credit of starter',
    );
  });

  it('[SELL-720] the dearest credit on sale bounds what credits may be worth, whatever sells it', () => {
    expect(DEAREST_CREDIT_MICRO_USD).toBe(239_600);
    expect(Math.max(...PRODUCTS.map(unitPriceMicroUsd))).toBe(DEAREST_CREDIT_MICRO_USD);
  });

  it('[SELL-726] names what was sold, and nothing that it does not know', () => {
    expect(soldName('starter')).toBe('Starter');
    expect(soldName('top-up-25')).toBe('Top-up, 25 credits');
    expect(soldName('top-up-25', 3)).toBe('Top-up, 3 × 25 credits');
    expect(soldName('retired')).toBeUndefined();
    expect(soldName(null)).toBeUndefined();
    expect(() => productOf('retired' as 'starter')).toThrow('no product retired');
  });
});
