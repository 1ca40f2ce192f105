import { recent } from '../shared/counter.js';
import { TOGETHER_MICRO_USD, TOGETHER_WINDOW_MS, type Limits } from '../shared/limits.js';
import type { AgreedTogether } from './counters.js';

/** Credits that an administrator gives or takes. */
export interface Adjustment {
  userId: string;
  /** Positive credits are given, negative ones taken. */
  credits: number;
  valueMicroUsd: number;
  /** The lot or purchase that the credits compensate. If absent, the credits have no value. */
  makesGood?: string;
  /** The paid lot behind `makesGood`; absent in older events. */
  paidLotId?: string;
}

type AdjustedAmount = Pick<Adjustment, 'credits' | 'valueMicroUsd'>;

export interface AdjustmentFacts {
  /** The user bought from the administrator's own packs within RELATED_BUYER_DAYS. */
  boughtFromThem: boolean;
  /** The administrator's other adjustments of the last 24 hours, on all accounts. Those without effect do not count. */
  others: readonly AdjustedAmount[];
  /** One person may decide up to these limits, which apply to the sum of all their adjustments within the window. */
  limits: Pick<Limits, 'adjustmentCredits' | 'adjustmentMicroUsd'>;
  /** The highest price of a credit among the plans on sale. */
  mostMicroUsdPerCredit: number;
  /** The value that may still compensate `makesGood`. Undefined if the user has no such lot or purchase. */
  leftToMakeGoodMicroUsd?: number | undefined;
}

export type AdjustmentRejection =
  | { code: 'OwnInterest' }
  | { code: 'CreditsWorthTooMuch'; mostMicroUsd: number }
  /** Credits with a value must name a lot or purchase of that user. */
  | { code: 'NothingToMakeGood' }
  /** The value exceeds the user's loss from that lot or purchase, less what was already returned or compensated. */
  | { code: 'MadeGoodAlready'; mostMicroUsd: number };

/** Returns the rule that an adjustment breaks, or undefined. */
export function obstacleToAdjustment(
  { credits, valueMicroUsd, makesGood }: Adjustment,
  { boughtFromThem, mostMicroUsdPerCredit, leftToMakeGoodMicroUsd: left }: AdjustmentFacts,
): AdjustmentRejection | undefined {
  if (boughtFromThem) return { code: 'OwnInterest' };
  const mostMicroUsd = Math.max(0, credits) * mostMicroUsdPerCredit;
  if (valueMicroUsd > mostMicroUsd) return { code: 'CreditsWorthTooMuch', mostMicroUsd };
  if (left === undefined)
    return makesGood !== undefined || valueMicroUsd > 0 ? { code: 'NothingToMakeGood' } : undefined;
  return valueMicroUsd > left ? { code: 'MadeGoodAlready', mostMicroUsd: left } : undefined;
}

export function needsSecondPerson(
  asked: AdjustedAmount,
  { others, limits }: Pick<AdjustmentFacts, 'others' | 'limits'>,
): boolean {
  const all = [asked, ...others];
  return (
    all.reduce((sum, { credits }) => sum + Math.abs(credits), 0) > limits.adjustmentCredits ||
    all.reduce((sum, { valueMicroUsd }) => sum + valueMicroUsd, 0) > limits.adjustmentMicroUsd
  );
}

/** Returns whether two people would exceed what they may give together. */
export function isTooMuchTogether(
  valueMicroUsd: number,
  together: readonly AgreedTogether[],
  now: string,
): boolean {
  const given = recent(together, now, TOGETHER_WINDOW_MS);
  return given.reduce((sum, each) => sum + each.valueMicroUsd, valueMicroUsd) > TOGETHER_MICRO_USD;
}
