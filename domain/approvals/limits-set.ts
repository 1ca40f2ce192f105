import { accept, type Decider } from '../shared/decision.js';
import { FIRST_LIMITS, type Limits } from '../shared/limits.js';
import { reasonIn, type Reason } from '../shared/remark.js';

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
  /** The approvals whose change was made. */
  consents: readonly string[];
}

/** Stream `limits-alone`: the limits of one person alone, and who approved each change. */
export const limitsDecider: Decider<ChangeLimits, LimitsState, LimitsChanged, never, void> = {
  streamOf: () => 'limits-alone',
  initialState: { limits: FIRST_LIMITS, consents: [] },
  decide: (command, { consents }) => {
    const { approvalId, limits, by, approvedBy, now: at } = command;
    if (consents.includes(approvalId)) return accept();
    return accept<LimitsChanged>({
      type: 'LimitsChanged',
      data: { approvalId, limits, by, approvedBy, ...reasonIn(command), at },
    });
  },
  evolve: ({ consents }, { data }) => ({ limits: data.limits, consents: [...consents, data.approvalId] }),
};
