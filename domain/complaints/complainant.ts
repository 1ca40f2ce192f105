import { accept, type Decider } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';

interface DecideOnComplainant {
  type: 'BarComplainant' | 'AdmitComplainant';
  /** A user id, or an irreversible id derived from an e-mail address. */
  complainantId: string;
  by: string;
  remark: Remark;
  now: string;
}

export interface ComplainantEvent {
  type: 'ComplainantBarred' | 'ComplainantAdmitted';
  data: { complainantId: string; by: string; at: string } & Remark;
}

/** Stream `complainant-{complainantId}`: whether a complainant is barred. */
export const complainantDecider: Decider<
  DecideOnComplainant,
  { isBarred: boolean },
  ComplainantEvent,
  never
> = {
  streamOf: (complainantId) => `complainant-${complainantId}`,
  initialState: { isBarred: false },
  decide: ({ type, complainantId, by, remark, now: at }, { isBarred }) => {
    const bars = type === 'BarComplainant';
    if (bars === isBarred) return accept();
    const data = { complainantId, by, at, ...remark };
    return accept({ type: bars ? 'ComplainantBarred' : 'ComplainantAdmitted', data });
  },
  evolve: (_, { type }) => ({ isBarred: type === 'ComplainantBarred' }),
};
