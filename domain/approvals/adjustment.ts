import { counter, recent } from '../shared/counter.js';
import { accept, reject, type Decider } from '../shared/decision.js';
import { ALONE_WINDOW_MS, TOGETHER_MICRO_USD, TOGETHER_WINDOW_MS, type Limits } from '../shared/limits.js';

interface CountedAdjustment {
  adjustmentId: string;
  by: string;
  at: string;
  credits: number;
  valueMicroUsd: number;
}

/** Stream `adjuster-{userId}`: the adjustments that one administrator requested. */
export const adjusterCounter = counter<'AdjustmentCounted', CountedAdjustment>(
  'AdjustmentCounted',
  (by) => `adjuster-${by}`,
);

/** An adjustment with a value that two people gave together: one requested it, the other approved it. */
export interface AgreedTogether {
  adjustmentId: string;
  by: string;
  approvedBy: string;
  valueMicroUsd: number;
  at: string;
}

/** Stream `adjusters-{userId}.{userId}`: the value that two people gave together, whichever of them requested it. */
export const togetherCounter = counter<
  'AgreementCounted',
  AgreedTogether,
  Pick<AgreedTogether, 'by' | 'approvedBy'>
>('AgreementCounted', ({ by, approvedBy }) => `adjusters-${[by, approvedBy].sort().join('.')}`);

interface CountedRefund {
  refundId: string;
  by: string;
  amountMicroUsd: number;
  at: string;
  /** The most that one administrator could refund alone when this refund was made. */
  limitMicroUsd: number;
}

const refunds = counter<'RefundCounted', CountedRefund>('RefundCounted', (by) => `refunder-${by}`);

/** Stream `refunder-{userId}`: the refunds that one administrator made alone, up to the limit. */
export const refunderDecider: Decider<
  CountedRefund,
  readonly CountedRefund[],
  { type: 'RefundCounted'; data: CountedRefund },
  { code: 'SecondPersonNeeded' }
> = {
  ...refunds,
  decide(asked, counted) {
    if (counted.some(({ refundId }) => refundId === asked.refundId)) return accept();
    const sum = recent(counted, asked.at, ALONE_WINDOW_MS).reduce(
      (total, { amountMicroUsd }) => total + amountMicroUsd,
      asked.amountMicroUsd,
    );
    if (sum > asked.limitMicroUsd) return reject({ code: 'SecondPersonNeeded' });
    return refunds.decide(asked, counted);
  },
};

export interface Adjustment {
  userId: string;
  /** Positive if credits are given, negative if they are taken. */
  credits: number;
  valueMicroUsd: number;
  /** The lot or purchase whose spent or lost credits this adjustment replaces. Required for credits with a value. */
  makesGood?: string;
  /**
   * If `makesGood` names a lot, the paid lot from which its credits came. If it names a purchase, a paid lot that the
   * purchase was paid with. Absent in older events.
   */
  paidLotId?: string;
}

type AdjustedAmount = Pick<Adjustment, 'credits' | 'valueMicroUsd'>;

export interface AdjustmentFacts {
  /** Whether the beneficiary bought from the administrator's own packs in the last `RELATED_BUYER_DAYS` days. */
  boughtFromThem: boolean;
  /** The administrator's other adjustments of the last 24 hours, for all users, without those that had no effect. */
  others: readonly AdjustedAmount[];
  /** The limits of what one administrator may adjust alone within 24 hours. */
  limits: Pick<Limits, 'adjustmentCredits' | 'adjustmentMicroUsd'>;
  /** The highest price of a credit among the products on sale. */
  mostMicroUsdPerCredit: number;
  /** The value that may still be given for `makesGood`. Undefined unless it names a lot or purchase of the user. */
  leftToCompensateMicroUsd?: number | undefined;
}

export type AdjustmentRejection =
  | { code: 'OwnInterest' }
  | { code: 'CreditsWorthTooMuch'; mostMicroUsd: number }
  /** Credits with a value must name a lot or purchase of the beneficiary. */
  | { code: 'NothingToMakeGood' }
  /** The value exceeds what adjustments may still replace for the lot or purchase `makesGood`. */
  | { code: 'MadeGoodAlready'; mostMicroUsd: number };

export function obstacleToAdjustment(
  { credits, valueMicroUsd, makesGood }: Adjustment,
  { boughtFromThem, mostMicroUsdPerCredit, leftToCompensateMicroUsd: left }: AdjustmentFacts,
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

/** Returns whether this value exceeds what the same two people may give together in 30 days. */
export function isTooMuchTogether(
  valueMicroUsd: number,
  together: readonly AgreedTogether[],
  now: string,
): boolean {
  const given = recent(together, now, TOGETHER_WINDOW_MS);
  return given.reduce((sum, each) => sum + each.valueMicroUsd, valueMicroUsd) > TOGETHER_MICRO_USD;
}
