import { FIRST_LIMITS, type Limits } from '../shared/limits.js';
import { accept, type Decider } from '../shared/decision.js';
import type { Reason } from '../shared/remark.js';

/** The highest limits that two people can set. */
export const HIGHEST_LIMITS: Limits = {
  adjustmentCredits: 5_000,
  adjustmentMicroUsd: 500_000_000,
  refundsMicroUsd: 2_000_000_000,
  writeOffMicroUsd: 200_000_000,
};

interface Change extends Reason {
  approvalId: string;
  limits: Limits;
  by: string;
  approvedBy: string;
}

export type ChangeLimits = { type: 'ChangeLimits'; now: string } & Change;
export type LimitsChanged = { type: 'LimitsChanged'; data: Change & { at: string } };

interface LimitsState {
  limits: Limits;
  /** Ids of the approvals that have already changed the limits, so that none changes them twice. */
  consents: readonly string[];
}

/** Stream `limits-alone`: what one person may decide alone, and who approved each change. */
export const limitsDecider: Decider<ChangeLimits, LimitsState, LimitsChanged, never, void> = {
  streamOf: () => 'limits-alone',
  initialState: { limits: FIRST_LIMITS, consents: [] },
  decide: ({ type: _, now: at, ...change }, { consents }) =>
    consents.includes(change.approvalId)
      ? accept()
      : accept({ type: 'LimitsChanged', data: { ...change, at } }),
  evolve: ({ consents }, { data }) => ({ limits: data.limits, consents: [...consents, data.approvalId] }),
};
