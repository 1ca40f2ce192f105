import type { Decider } from '../shared/decider.js';
import { accept, reject, type Decision } from '../shared/decision.js';
import { ALONE_WINDOW_MS } from '../shared/limits.js';

/** A refund that an administrator made alone. */
interface Counted {
  refundId: string;
  by: string;
  amountMicroUsd: number;
  at: string;
}

/** `limitMicroUsd` is the most that one administrator may refund alone within the window. */
export type CountRefund = { type: 'CountRefund'; limitMicroUsd: number; now: string } & Omit<Counted, 'at'>;

export type RefundCounted = {
  type: 'RefundCounted';
  /** `limitMicroUsd` is the limit at that time. */
  data: Counted & { limitMicroUsd: number };
};

export type RefunderRejection = { code: 'SecondPersonNeeded' };

function decide(
  { type: _, now: at, limitMicroUsd, ...asked }: CountRefund,
  counted: readonly Counted[],
): Decision<RefundCounted, RefunderRejection> {
  if (counted.some(({ refundId }) => refundId === asked.refundId)) return accept();
  const since = new Date(Date.parse(at) - ALONE_WINDOW_MS).toISOString();
  const recent = counted.filter((other) => other.at > since);
  const sum = recent.reduce((total, other) => total + other.amountMicroUsd, asked.amountMicroUsd);
  if (sum > limitMicroUsd) return reject({ code: 'SecondPersonNeeded' });
  return accept({ type: 'RefundCounted', data: { ...asked, at, limitMicroUsd } });
}

/**
 * Stream `refunder-{userId}`: the refunds that one administrator made alone. Each refund is appended before it is made,
 * at the version that the limit was checked against. So concurrent refunds cannot exceed the limit together.
 */
export const refunderDecider: Decider<CountRefund, readonly Counted[], RefundCounted, RefunderRejection> = {
  streamOf: (by) => `refunder-${by}`,
  initialState: [],
  decide,
  evolve: (counted, { data }) => [...counted, data],
};
