import type { Decider } from '../shared/decider.js';
import { accept, reject, unreachable, type Decision } from '../shared/decision.js';

/** Stream `alert-{key}`: something that a person has to see. Its subject makes the key, so that it is told once. */
const streamOf = (key: string): string => `alert-${key}`;

export interface Alert {
  /** Letters, digits, `_`, `.`, `:` and `-`. */
  key: string;
  /** Such as `fact-set-aside`. */
  kind: string;
  /** One or two sentences for a reader who knows nothing of it. */
  text: string;
  /** The id of what it is about. */
  item?: string;
  /** How much money it is about, if that is known. */
  amountMicroUsd?: number;
  /** The charge under which the provider tells of it. */
  chargeId?: string;
}

/**
 * `seen`: a person knows of it, and it is not told again while it lasts. `retried`: what it is about is tried again, and
 * raises it again or not.
 */
export type AlertState = 'none' | 'raised' | 'seen' | 'retried' | 'settled';

export type AlertCommand =
  | { type: 'RaiseAlert'; alert: Alert; now: string }
  | { type: 'SeeAlert'; key: string; by: string; now: string }
  | { type: 'RetryAlert'; key: string; by: string; now: string }
  /** @param afterRetry only if trying again did not raise it again */
  | { type: 'SettleAlert'; key: string; afterRetry?: true; now: string };

export type AlertEvent =
  | { type: 'AlertRaised'; data: Alert & { at: string } }
  | { type: 'AlertSeen'; data: { key: string; by: string; at: string } }
  | { type: 'AlertRetried'; data: { key: string; by: string; at: string } }
  /** What it is about is over; it may be raised again. */
  | { type: 'AlertSettled'; data: { key: string; at: string } };

export type AlertRejection = { code: 'NotFound' };

function decide(command: AlertCommand, state: AlertState): Decision<AlertEvent, AlertRejection> {
  const isKnown = state === 'raised' || state === 'seen';
  const lasts = isKnown || state === 'retried';
  const { now: at } = command;
  switch (command.type) {
    case 'RaiseAlert':
      return isKnown ? accept() : accept<AlertEvent>({ type: 'AlertRaised', data: { ...command.alert, at } });
    case 'SeeAlert': {
      if (state === 'none') return reject({ code: 'NotFound' });
      const { key, by } = command;
      return state === 'raised' ? accept<AlertEvent>({ type: 'AlertSeen', data: { key, by, at } }) : accept();
    }
    case 'RetryAlert': {
      if (!lasts) return reject({ code: 'NotFound' });
      const { key, by } = command;
      return isKnown ? accept<AlertEvent>({ type: 'AlertRetried', data: { key, by, at } }) : accept();
    }
    case 'SettleAlert':
      return (command.afterRetry ? state === 'retried' : lasts)
        ? accept<AlertEvent>({ type: 'AlertSettled', data: { key: command.key, at } })
        : accept();
    default:
      return unreachable(command);
  }
}

const STATES = {
  AlertRaised: 'raised',
  AlertSeen: 'seen',
  AlertRetried: 'retried',
  AlertSettled: 'settled',
} as const;

export const alertDecider: Decider<AlertCommand, AlertState, AlertEvent, AlertRejection> = {
  streamOf,
  initialState: 'none',
  decide,
  evolve: (_, { type }) => STATES[type],
};
