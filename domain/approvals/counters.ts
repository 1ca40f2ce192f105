import { counter, recent } from '../shared/counter.js';
import { accept, reject, type Decider } from '../shared/decision.js';
import { ALONE_WINDOW_MS } from '../shared/limits.js';

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

/** The value that two people gave together: one requested it, one approved it. */
export interface AgreedTogether {
  adjustmentId: string;
  by: string;
  approvedBy: string;
  valueMicroUsd: number;
  at: string;
}

/** Stream `adjusters-{userId}.{userId}`: what two people gave together, in either role. */
export const togetherCounter = counter<
  'AgreementCounted',
  AgreedTogether,
  Pick<AgreedTogether, 'by' | 'approvedBy'>
>('AgreementCounted', ({ by, approvedBy }) => `adjusters-${[by, approvedBy].sort().join('.')}`);

/** A refund that an administrator made alone. */
interface CountedRefund {
  refundId: string;
  by: string;
  amountMicroUsd: number;
  at: string;
  /** The most that one administrator could refund alone at that time. */
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
