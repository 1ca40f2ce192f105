import { reasonIn, type Reason } from '../shared/remark.js';
import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';

/** Stream `creator-{userId}`: whether a user may upload, publish and be paid. */
const streamOf = (userId: string): string => `creator-${userId}`;

export type CreatorStatus =
  | { status: 'none' }
  | { status: 'applied'; appliedAt: string }
  | { status: 'approved' }
  | { status: 'declined'; why: Reason }
  | { status: 'suspended'; why: Reason };

/** `by` is an administrator's user id, or `system:auto-approval` if the configuration approves at once. */
export type CreatorCommand =
  | { type: 'ApplyAsCreator'; userId: string; autoApprove: boolean; now: string }
  | { type: 'ApproveCreator'; userId: string; by: string; now: string }
  | ({ type: 'DeclineCreator' | 'SuspendCreator'; userId: string; by: string; now: string } & Reason)
  | { type: 'ReinstateCreator'; userId: string; by: string; now: string };

export type CreatorEvent =
  | { type: 'CreatorApplied'; data: { userId: string; at: string } }
  | { type: 'CreatorApproved'; data: { userId: string; by: string; at: string } }
  | {
      type: 'CreatorDeclined' | 'CreatorSuspended';
      data: { userId: string; by: string; at: string } & Reason;
    }
  | { type: 'CreatorReinstated'; data: { userId: string; by: string; at: string } };

export const CREATOR_EVENT_TYPES = [
  'CreatorApplied',
  'CreatorApproved',
  'CreatorDeclined',
  'CreatorSuspended',
  'CreatorReinstated',
] as const satisfies readonly CreatorEvent['type'][];

export type CreatorRejection =
  | { code: 'ApplicationExists'; state: 'applied' | 'approved' }
  | ({ code: 'CreatorSuspended' } & Reason)
  /** The user did not apply, or the application is not in the state that this decision needs. */
  | { code: 'NotFound' };

export type CreatorDecision = Decision<CreatorEvent, CreatorRejection>;

const initialState: CreatorStatus = { status: 'none' };

function decide(command: CreatorCommand, state: CreatorStatus): CreatorDecision {
  const { userId, now: at } = command;
  switch (command.type) {
    case 'ApplyAsCreator': {
      if (state.status === 'suspended') return reject({ code: 'CreatorSuspended', ...state.why });
      // If the configuration now approves at once, a second application approves the waiting one.
      const waits = state.status === 'applied';
      if (state.status === 'approved' || (waits && !command.autoApprove))
        return reject({ code: 'ApplicationExists', state: state.status });
      const applied: CreatorEvent[] = waits ? [] : [{ type: 'CreatorApplied', data: { userId, at } }];
      const approved: CreatorEvent = {
        type: 'CreatorApproved',
        data: { userId, by: 'system:auto-approval', at },
      };
      return accept(...applied, ...(command.autoApprove ? [approved] : []));
    }
    case 'ApproveCreator':
      if (state.status === 'approved') return accept();
      if (state.status !== 'applied' && state.status !== 'declined') return reject({ code: 'NotFound' });
      return accept({ type: 'CreatorApproved', data: { userId, by: command.by, at } });
    case 'DeclineCreator':
      if (state.status === 'declined') return accept();
      if (state.status !== 'applied') return reject({ code: 'NotFound' });
      return accept({
        type: 'CreatorDeclined',
        data: { userId, by: command.by, ...reasonIn(command), at },
      });
    case 'SuspendCreator':
      if (state.status === 'suspended') return accept();
      if (state.status !== 'approved') return reject({ code: 'NotFound' });
      return accept({
        type: 'CreatorSuspended',
        data: { userId, by: command.by, ...reasonIn(command), at },
      });
    case 'ReinstateCreator':
      if (state.status === 'approved') return accept();
      if (state.status !== 'suspended') return reject({ code: 'NotFound' });
      return accept({ type: 'CreatorReinstated', data: { userId, by: command.by, at } });
    default:
      return unreachable(command);
  }
}

function evolve(_: CreatorStatus, { type, data }: CreatorEvent): CreatorStatus {
  switch (type) {
    case 'CreatorApplied':
      return { status: 'applied', appliedAt: data.at };
    case 'CreatorApproved':
    case 'CreatorReinstated':
      return { status: 'approved' };
    case 'CreatorDeclined':
      return { status: 'declined', why: reasonIn(data) };
    case 'CreatorSuspended':
      return { status: 'suspended', why: reasonIn(data) };
    default:
      return unreachable(type);
  }
}

export function obstacleToPublishing(
  status: CreatorStatus['status'],
): { code: 'CreatorAccessRequired' | 'CreatorSuspended' } | undefined {
  if (status === 'approved') return undefined;
  return { code: status === 'suspended' ? 'CreatorSuspended' : 'CreatorAccessRequired' };
}

/** Returns what prevents a creator from changing the public profile or from granting more permissions. */
export function obstacleToPublicChange(
  status: CreatorStatus['status'],
): { code: 'CreatorSuspended'; detail: string } | undefined {
  return status === 'suspended'
    ? {
        code: 'CreatorSuspended',
        detail: 'Your public profile and permissions cannot be changed while you are suspended.',
      }
    : undefined;
}

export const creatorDecider: Decider<CreatorCommand, CreatorStatus, CreatorEvent, CreatorRejection> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
