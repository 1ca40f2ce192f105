import { byType } from '../shared/by-type.js';
import { reasonIn, type Reason } from '../shared/remark.js';
import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';

export type CreatorStatus =
  | { status: 'none' }
  | { status: 'applied'; appliedAt: string }
  | { status: 'approved' }
  /** An administrator asked the applicant something. Applying again answers it. */
  | { status: 'asked'; why: Reason }
  | { status: 'declined'; why: Reason }
  | { status: 'suspended'; why: Reason };

/** `by` is the user id of an administrator, or `system:auto-approval`. */
export type CreatorCommand =
  /** `reason` is what the applicant writes, with links in the last lines. */
  | ({
      type: 'ApplyAsCreator';
      userId: string;
      autoApprove: boolean;
      now: string;
    } & Partial<Reason>)
  | { type: 'WithdrawApplication'; userId: string; now: string }
  | { type: 'ApproveCreator'; userId: string; by: string; now: string }
  | ({
      type: 'AskApplicant' | 'DeclineCreator' | 'SuspendCreator';
      userId: string;
      by: string;
      now: string;
    } & Reason)
  | { type: 'ReinstateCreator'; userId: string; by: string; now: string };

export type CreatorEvent =
  | { type: 'CreatorApplied'; data: { userId: string; at: string } & Partial<Reason> }
  | { type: 'ApplicationWithdrawn'; data: { userId: string; at: string } }
  | { type: 'CreatorApproved'; data: { userId: string; by: string; at: string } }
  | {
      type: 'ApplicantAsked' | 'CreatorDeclined' | 'CreatorSuspended';
      data: { userId: string; by: string; at: string } & Reason;
    }
  | { type: 'CreatorReinstated'; data: { userId: string; by: string; at: string } };

export type CreatorRejection =
  | { code: 'ApplicationExists'; state: 'applied' | 'approved' }
  | ({ code: 'CreatorSuspended' } & Reason)
  /** The user never applied, or is not in the status that this decision requires. */
  | { code: 'NotFound' };

/** Each command with a reason: its event, the statuses that it requires, and the new status. */
const WITH_REASON = {
  AskApplicant: ['ApplicantAsked', ['applied'], 'asked'],
  DeclineCreator: ['CreatorDeclined', ['applied', 'asked'], 'declined'],
  SuspendCreator: ['CreatorSuspended', ['approved'], 'suspended'],
} as const;

const MAY_BE_APPROVED: ReadonlySet<CreatorStatus['status']> = new Set(['applied', 'asked', 'declined']);

function decide(command: CreatorCommand, state: CreatorStatus): Decision<CreatorEvent, CreatorRejection> {
  const { userId, now: at } = command;
  switch (command.type) {
    case 'ApplyAsCreator': {
      if (state.status === 'suspended') return reject({ code: 'CreatorSuspended', ...state.why });
      // An application may still be waiting when automatic approval is switched on. Applying again then approves it.
      const waits = state.status === 'applied';
      if (state.status === 'approved' || (waits && !command.autoApprove))
        return reject({ code: 'ApplicationExists', state: state.status });
      const { reason, ...remark } = command;
      const data = { userId, at, ...(reason !== undefined && reasonIn({ reason, ...remark })) };
      const applied: CreatorEvent[] = waits ? [] : [{ type: 'CreatorApplied', data }];
      const approved: CreatorEvent = {
        type: 'CreatorApproved',
        data: { userId, by: 'system:auto-approval', at },
      };
      return accept(...applied, ...(command.autoApprove ? [approved] : []));
    }
    case 'WithdrawApplication':
      if (state.status === 'none') return accept();
      if (state.status !== 'applied' && state.status !== 'asked') return reject({ code: 'NotFound' });
      return accept({ type: 'ApplicationWithdrawn', data: { userId, at } });
    case 'ApproveCreator':
      if (state.status === 'approved') return accept();
      if (!MAY_BE_APPROVED.has(state.status)) return reject({ code: 'NotFound' });
      return accept({ type: 'CreatorApproved', data: { userId, by: command.by, at } });
    case 'AskApplicant':
    case 'DeclineCreator':
    case 'SuspendCreator': {
      const [type, from, to] = WITH_REASON[command.type];
      if (state.status === to) return accept();
      if (!from.some((status) => status === state.status)) return reject({ code: 'NotFound' });
      return accept({ type, data: { userId, by: command.by, ...reasonIn(command), at } });
    }
    case 'ReinstateCreator':
      if (state.status === 'approved') return accept();
      if (state.status !== 'suspended') return reject({ code: 'NotFound' });
      return accept({ type: 'CreatorReinstated', data: { userId, by: command.by, at } });
    default:
      return unreachable(command);
  }
}

const evolving = byType<CreatorEvent, [], CreatorStatus>({
  CreatorApplied: ({ data }) => ({ status: 'applied', appliedAt: data.at }),
  ApplicationWithdrawn: () => ({ status: 'none' }),
  CreatorApproved: () => ({ status: 'approved' }),
  ApplicantAsked: ({ data }) => ({ status: 'asked', why: reasonIn(data) }),
  CreatorDeclined: ({ data }) => ({ status: 'declined', why: reasonIn(data) }),
  CreatorSuspended: ({ data }) => ({ status: 'suspended', why: reasonIn(data) }),
  CreatorReinstated: () => ({ status: 'approved' }),
});

export const CREATOR_EVENT_TYPES = evolving.types;

/** The status after each event. */
export const CREATOR_STATUS = {
  CreatorApplied: 'applied',
  ApplicationWithdrawn: 'none',
  CreatorApproved: 'approved',
  ApplicantAsked: 'asked',
  CreatorDeclined: 'declined',
  CreatorSuspended: 'suspended',
  CreatorReinstated: 'approved',
} as const satisfies Record<CreatorEvent['type'], CreatorStatus['status']>;

export function obstacleToPublishing(
  status: CreatorStatus['status'],
): { code: 'CreatorAccessRequired' | 'CreatorSuspended' } | undefined {
  if (status === 'approved') return undefined;
  return { code: status === 'suspended' ? 'CreatorSuspended' : 'CreatorAccessRequired' };
}

/** Returns what prevents a creator from changing the public profile or from newly allowing AI training. */
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

/** Stream `creator-{userId}`: whether a user may upload, publish and be paid. */
export const creatorDecider: Decider<CreatorCommand, CreatorStatus, CreatorEvent, CreatorRejection> = {
  streamOf: (userId) => `creator-${userId}`,
  initialState: { status: 'none' },
  decide,
  evolve: (_, event) => evolving.of(event),
};
