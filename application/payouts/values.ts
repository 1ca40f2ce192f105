/** Constants for screens. Schemas stay in `contract.ts`, because importing them would bundle zod. */
import { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';
import { floorShare } from '../../domain/shared/micro-usd.js';
import { planOf, unitPriceMicroUsd } from '../../domain/subscriptions/plans.js';
export { PAYOUT_POLICY } from '../../domain/payouts/policy.js';
export { CLAIM_MONTHS } from '../../domain/payouts/payout-claim.js';

/** The number of hexadecimal digits in a claim's code. */
export const CLAIM_CODE_LENGTH = 40;

export const DASHBOARD_DAYS = 30;

export { divideShare, WHOLE_BPS } from '../../domain/shared/share-policy.js';
/** The creators' share of a credit of the largest plan, in micro-dollars. */
export const EXAMPLE_SHARE_MICRO_USD = floorShare(unitPriceMicroUsd(planOf('studio')), CURRENT_SHARE_POLICY);
export const SHARE_PERCENT = CURRENT_SHARE_POLICY.shareBps / 100;
