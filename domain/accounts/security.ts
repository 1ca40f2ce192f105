import { accept, unreachable, type Decider } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';

/** `by` is an administrator's user id, or `system:operator` for the command line. */
export interface SecurityCommand extends Remark {
  type: 'EndSessions' | 'ResetFactors';
  userId: string;
  by: string;
  now: string;
}

interface Done extends Remark {
  userId: string;
  by: string;
  at: string;
}

export type SecurityEvent = { type: 'SessionsEndedByStaff' | 'FactorsReset'; data: Done };

/** Stream `security-{userId}`: changes that staff made to a user's sign-in. */
export const securityDecider: Decider<SecurityCommand, null, SecurityEvent, never> = {
  streamOf: (userId) => `security-${userId}`,
  initialState: null,
  decide({ type, now: at, ...data }) {
    switch (type) {
      case 'EndSessions':
        return accept({ type: 'SessionsEndedByStaff', data: { ...data, at } });
      case 'ResetFactors':
        return accept({ type: 'FactorsReset', data: { ...data, at } });
      default:
        return unreachable(type);
    }
  },
  evolve: (state) => state,
};
