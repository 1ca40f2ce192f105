import { evolveBy } from '../shared/by-type.js';
import { accept, unreachable, type Decision, type Decider } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';
import type { ReturnReason } from './purchase.js';

export interface DeferredReturn extends Partial<Remark> {
  buyerId: string;
  sampleId: string;
  purchaseId: string;
  reason: ReturnReason;
  explanation: string;
  /** The person who requested the return. */
  by: string;
}

export type DeferredReturnCommand =
  | ({ type: 'DeferReturn'; now: string } & DeferredReturn)
  /** Records that a deferred return was carried out, with the credits that went back. */
  | ({ type: 'SettleReturn'; now: string } & SettledReturn);

interface SettledReturn {
  purchaseId: string;
  /** The credits that went back to the buyer. */
  returnedCredits: number;
  /** The credits that did not go back, because the buyer already got their value from a bank or a refund. */
  withheldCredits: number;
}

type DeferredReturnEvent =
  | { type: 'ReturnDeferred'; data: DeferredReturn & { at: string } }
  | { type: 'DeferredReturnSettled'; data: SettledReturn & { buyerId: string; at: string } };

/** Deferred returns by purchase id. A purchase is returned only once, so a settled return never waits again. */
export type DeferredReturns = ReadonlyMap<string, DeferredReturn & { settled: boolean }>;
export const waitingReturns = (state: DeferredReturns): DeferredReturn[] =>
  [...state.values()].filter(({ settled }) => !settled);

/** Repeated commands record nothing, and neither does settling a return that was never deferred. */
function decide(
  command: DeferredReturnCommand,
  state: DeferredReturns,
): Decision<DeferredReturnEvent, never> {
  const known = state.get(command.purchaseId);
  switch (command.type) {
    case 'DeferReturn': {
      if (known) return accept();
      const { type: _, now: at, ...data } = command;
      return accept<DeferredReturnEvent>({ type: 'ReturnDeferred', data: { ...data, at } });
    }
    case 'SettleReturn': {
      if (!known || known.settled) return accept();
      const { type: _, now: at, ...settled } = command;
      const data = { buyerId: known.buyerId, ...settled, at };
      return accept<DeferredReturnEvent>({ type: 'DeferredReturnSettled', data });
    }
    default:
      return unreachable(command);
  }
}

/** Stream `returns-{buyerId}`: a buyer's returns that wait for a bank's decision about the payment. */
export const deferredReturnDecider: Decider<
  DeferredReturnCommand,
  DeferredReturns,
  DeferredReturnEvent,
  never
> = {
  streamOf: (buyerId) => `returns-${buyerId}`,
  initialState: new Map(),
  decide,
  evolve: evolveBy<DeferredReturns, DeferredReturnEvent>({
    ReturnDeferred: (state, { at: _, ...deferred }) =>
      new Map([...state, [deferred.purchaseId, { ...deferred, settled: false }]]),
    DeferredReturnSettled: (state, { purchaseId }) => {
      const known = state.get(purchaseId);
      return known ? new Map([...state, [purchaseId, { ...known, settled: true }]]) : state;
    },
  }),
};
