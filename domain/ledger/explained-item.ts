import { accept, type Decider } from '../shared/decision.js';
import { reasonIn, type Reason } from '../shared/remark.js';

interface Explained extends Reason {
  account: string;
  about: string;
  by: string;
}

type ExplainedCommand = { type: 'ExplainItem'; now: string } & Explained;
export type ExplainedEvent = { type: 'SuspenseExplained'; data: Explained & { at: string } };

/** Stream `explained-{account}.{about}`: notes about an item in suspense. The newest note counts. */
export const explainedDecider: Decider<
  ExplainedCommand,
  undefined,
  ExplainedEvent,
  never,
  { account: string; about: string }
> = {
  streamOf: ({ account, about }) => `explained-${account}.${about}`,
  initialState: undefined,
  decide: (command) => {
    const { account, about, by, now: at } = command;
    return accept<ExplainedEvent>({
      type: 'SuspenseExplained',
      data: { account, about, by, ...reasonIn(command), at },
    });
  },
  evolve: () => undefined,
};
