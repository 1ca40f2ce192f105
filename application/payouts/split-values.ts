/** Values for screens of splits, apart from other values because no first load needs them. */
import { floorShare } from '../../domain/shared/micro-usd.js';
import { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';
import { planOf } from '../../domain/subscriptions/plans.js';
import { unitPriceMicroUsd } from '../../domain/subscriptions/products.js';

export { divideShare, WHOLE_BPS } from '../../domain/shared/share-policy.js';
/** The creators' share of a credit of the largest plan, in micro-dollars. */
export const EXAMPLE_SHARE_MICRO_USD = floorShare(unitPriceMicroUsd(planOf('studio')), CURRENT_SHARE_POLICY);
export const SHARE_PERCENT = CURRENT_SHARE_POLICY.shareBps / 100;
