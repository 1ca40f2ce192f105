import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';

export interface Alert {
  /** Consists of letters, digits, `_`, `.`, `:` and `-`. */
  key: string;
  /** The kind of alert, such as `fact-set-aside`. */
  kind: string;
  /** One or two sentences for a reader without context. */
  text: string;
  /** The id of the alert's subject. */
  item?: string;
  /** The amount in question, if known. */
  amountMicroUsd?: number;
  /** The charge that a retry reads from the provider. */
  chargeId?: string;
}

/**
 * `seen`: a person has seen the alert. Lists omit a seen alert. It reappears only if it is raised again after a retry
 * or after it was settled.
 * `retried`: the failed work runs again, and may raise the alert again.
 */
export type AlertState = 'none' | 'raised' | 'seen' | 'retried' | 'settled';

export type AlertCommand =
  | { type: 'RaiseAlert'; alert: Alert; now: string }
  | { type: 'SeeAlert'; key: string; by: string; now: string }
  | { type: 'RetryAlert'; key: string; by: string; now: string }
  /** @param afterRetry settles the alert only if the retry did not raise it again */
  | { type: 'SettleAlert'; key: string; afterRetry?: true; now: string };

export type AlertEvent =
  | { type: 'AlertRaised'; data: Alert & { at: string } }
  | { type: 'AlertSeen'; data: { key: string; by: string; at: string } }
  | { type: 'AlertRetried'; data: { key: string; by: string; at: string } }
  /** The subject is resolved. The alert may be raised again. */
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

/**
 * Stream `alert-{key}`: something that a person must see. The key names the subject, so that each subject raises one
 * alert.
 */
export const alertDecider: Decider<AlertCommand, AlertState, AlertEvent, AlertRejection> = {
  streamOf: (key) => `alert-${key}`,
  initialState: 'none',
  decide,
  evolve: (_, { type }) => STATES[type],
};
