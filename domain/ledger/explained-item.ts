import { accept, type Decider } from '../shared/decision.js';
import type { Reason } from '../shared/remark.js';

interface Explained extends Reason {
  account: string;
  about: string;
  by: string;
}

/** Stream `explained-{account}.{about}`: notes about an item in suspense. The newest note counts. */
export const explainedDecider: Decider<
  { type: 'ExplainItem'; now: string } & Explained,
  undefined,
  { type: 'SuspenseExplained'; data: Explained & { at: string } },
  never,
  { account: string; about: string }
> = {
  streamOf: ({ account, about }) => `explained-${account}.${about}`,
  initialState: undefined,
  decide: ({ type: _, now: at, ...explained }) =>
    accept({ type: 'SuspenseExplained', data: { ...explained, at } }),
  evolve: () => undefined,
};
