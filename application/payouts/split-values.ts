/** Values for screens of splits. They are in their own file because the first page load does not need them. */
import { floorShare } from '../../domain/shared/micro-usd.js';
import { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';
import { planOf } from '../../domain/subscriptions/plans.js';
import { unitPriceMicroUsd } from '../../domain/subscriptions/products.js';

export { allocateCredits, priceInForce } from '../../domain/shared/pack-price.js';
export { divideShare, WHOLE_BPS } from '../../domain/shared/share-policy.js';
/** Returns the creators' share of a sale for credits of the largest plan, in micro-dollars. */
export const exampleShare = (credits: number): number =>
  floorShare(credits * unitPriceMicroUsd(planOf('studio')), CURRENT_SHARE_POLICY);
export const EXAMPLE_SHARE_MICRO_USD = exampleShare(1);
export const SHARE_PERCENT = CURRENT_SHARE_POLICY.shareBps / 100;
