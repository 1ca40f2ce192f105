import { accept, reject, type Decision, type Decider } from '../shared/decision.js';
import { inUsd, microUsdFromCents } from '../shared/micro-usd.js';

export type BankPayout =
  | { status: 'none' }
  | { status: 'in transit' | 'arrived' | 'failed'; amountMicroUsd: number };

/** The provider's current report. If the first report says `arrived` or `failed`, the sending is recorded too. */
export interface RecordBankPayout {
  type: 'RecordBankPayout';
  payoutId: string;
  amountUsdCents: number;
  status: 'in transit' | 'arrived' | 'failed';
  /** The provider's time of sending. */
  sentAt: string;
  arrivalAt: string;
  now: string;
}

interface Moved {
  payoutId: string;
  amountMicroUsd: number;
  at: string;
}

export type BankPayoutEvent =
  /** stripe:balance → bank:in-transit */
  | { type: 'BankPayoutSent'; data: Moved }
  /** bank:in-transit → bank */
  | { type: 'BankPayoutArrived'; data: Moved }
  /** Returns the money to stripe:balance, from the bank if it had arrived there. */
  | { type: 'BankPayoutFailed'; data: Moved & { arrived: boolean } };

/** The amount of a payout changed, which must not happen. A person must look at it. */
export type BankPayoutRejection = { code: 'BankPayoutContradicts'; detail: string };

const ORDER = { none: 0, 'in transit': 1, arrived: 2, failed: 3 } as const;

/** Records what is new in a report. A repeated or older report records nothing. */
function decide(
  command: RecordBankPayout,
  state: BankPayout,
): Decision<BankPayoutEvent, BankPayoutRejection> {
  const { payoutId, status, sentAt, arrivalAt, now: at } = command;
  const data = { payoutId, amountMicroUsd: microUsdFromCents(command.amountUsdCents), at };
  if (state.status !== 'none' && state.amountMicroUsd !== data.amountMicroUsd)
    return reject({
      code: 'BankPayoutContradicts',
      detail: `${payoutId} was ${inUsd(state.amountMicroUsd)} and is ${inUsd(data.amountMicroUsd)} now`,
    });
  if (ORDER[status] <= ORDER[state.status]) return accept();
  const events: BankPayoutEvent[] =
    state.status === 'none' ? [{ type: 'BankPayoutSent', data: { ...data, at: sentAt } }] : [];
  if (status === 'arrived') events.push({ type: 'BankPayoutArrived', data: { ...data, at: arrivalAt } });
  if (status === 'failed')
    events.push({ type: 'BankPayoutFailed', data: { ...data, arrived: state.status === 'arrived' } });
  return accept(...events);
}

const STATUS = {
  BankPayoutSent: 'in transit',
  BankPayoutArrived: 'arrived',
  BankPayoutFailed: 'failed',
} as const;

/** Stream `bank-{payoutId}`: the payment provider's payout of our money to our bank. */
export const bankPayoutDecider: Decider<RecordBankPayout, BankPayout, BankPayoutEvent, BankPayoutRejection> =
  {
    streamOf: (payoutId) => `bank-${payoutId}`,
    initialState: { status: 'none' },
    decide,
    evolve: (_, { type, data: { amountMicroUsd } }) => ({ status: STATUS[type], amountMicroUsd }),
  };
