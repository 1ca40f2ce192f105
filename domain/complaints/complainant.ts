import { accept, type Decision, type Decider } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';

export interface DecideOnComplainant {
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

export interface Complainant {
  isBarred: boolean;
}

function decide(
  { type, complainantId, by, remark, now: at }: DecideOnComplainant,
  { isBarred }: Complainant,
): Decision<ComplainantEvent, never> {
  const bars = type === 'BarComplainant';
  if (bars === isBarred) return accept();
  const data = { complainantId, by, at, ...remark };
  return accept({ type: bars ? 'ComplainantBarred' : 'ComplainantAdmitted', data });
}

/** Stream `complainant-{complainantId}`: whether a complainant is barred. */
export const complainantDecider: Decider<DecideOnComplainant, Complainant, ComplainantEvent, never> = {
  streamOf: (complainantId) => `complainant-${complainantId}`,
  initialState: { isBarred: false },
  decide,
  evolve: (_, { type }) => ({ isBarred: type === 'ComplainantBarred' }),
};
