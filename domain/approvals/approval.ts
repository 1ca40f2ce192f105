import { accept, assert, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import { evolveBy } from '../shared/by-type.js';
import {
  obstacleTo,
  type Approver,
  type ApproverRejection,
  type StaffRole,
} from '../shared/second-person.js';
import type { Limits } from '../shared/limits.js';
import { reasonIn, type Reason } from '../shared/remark.js';
import type { CertifiedPurchase } from '../shared/certified-purchase.js';
import type { AdjustingEntry } from '../shared/adjusting-lines.js';
import {
  isTooMuchTogether,
  needsSecondPerson,
  obstacleToAdjustment,
  type Adjustment,
  type AdjustmentFacts,
  type AdjustmentRejection,
  type AgreedTogether,
} from './adjustment.js';

/** An undecided request lapses after this many days. */
export const APPROVAL_DAYS = 7;
const DAY_MS = 86_400_000;

export const lapseAfter = (at: string): string =>
  new Date(Date.parse(at) + APPROVAL_DAYS * DAY_MS).toISOString();

/** A new kind also needs an entry in `DECIDED_BY` and in the code that runs the work. */
export type ApprovalWork =
  | ({ kind: 'adjustment' } & Adjustment)
  | { kind: 'grant-role' | 'revoke-role'; userId: string; role: StaffRole }
  /** Refunds at most this amount, tax included. */
  | { kind: 'refund'; of: { invoiceId: string } | { lotId: string }; amountMicroUsd: number }
  /** Writes off at most this amount of the creator's debt. */
  | { kind: 'write-off'; creatorId: string; amountMicroUsd: number }
  | ({ kind: 'adjusting-entry' } & AdjustingEntry)
  | { kind: 'reopen-month' | 'begin-books'; month: string }
  /**
   * Records the restore of a backup up to `position`. `heads` lists the hours whose signed head contradicts the
   * restored log, so checks ignore these heads.
   */
  | { kind: 'record-restore'; position: number; heads: readonly string[] }
  /** Releases a share that is held for review: its sale brought more per credit than any product charges. */
  | {
      kind: 'release-sale';
      purchaseId: string;
      creatorId: string;
      /** Absent in older events. */
      buyerId?: string;
      shareMicroUsd: number;
      /**
       * The creators who share the sale, if they are several. None of them may request the release of the share or
       * decide on that request.
       */
      sharedBy?: readonly string[];
    }
  /**
   * Records a purchase that a restored log lacks. Its signed certificate is the evidence. `sharedBy`: the ids of the
   * creators who share the earnings of the purchase.
   */
  | ({ kind: 'record-purchase'; sharedBy?: readonly string[] } & CertifiedPurchase)
  | ({ kind: 'limits' } & Limits);

/** The roles that may approve each kind of work. The approver must hold one of them when approving. */
const DECIDED_BY: Record<ApprovalWork['kind'], readonly StaffRole[]> = {
  adjustment: ['admin'],
  refund: ['admin'],
  'write-off': ['admin', 'finance'],
  'adjusting-entry': ['admin', 'finance'],
  'reopen-month': ['admin', 'finance'],
  'begin-books': ['admin', 'finance'],
  'record-restore': ['admin', 'finance'],
  'release-sale': ['admin', 'finance'],
  'record-purchase': ['admin', 'finance'],
  'grant-role': ['admin'],
  limits: ['admin'],
  // With only two administrators, the one who loses the role would have to approve, so finance may approve too.
  'revoke-role': ['admin', 'finance'],
};
export const APPROVAL_KINDS = Object.keys(DECIDED_BY) as ApprovalWork['kind'][];

/** Returns the roles that may approve this work. Finance may also approve adjustments with a value. */
export const decidedBy = (work: {
  kind: ApprovalWork['kind'];
  valueMicroUsd?: number;
}): readonly StaffRole[] =>
  work.kind === 'adjustment' && work.valueMicroUsd ? ['admin', 'finance'] : DECIDED_BY[work.kind];

/**
 * Returns the kinds of requests that a role may approve whatever they contain. Adjustments are not among those of
 * finance, which may approve an adjustment only if it has a value.
 */
export const kindsDecidedBy = (role: StaffRole): ApprovalWork['kind'][] =>
  APPROVAL_KINDS.filter((kind) => DECIDED_BY[kind].includes(role));

export interface RequestedApproval extends Reason {
  approvalId: string;
  work: ApprovalWork;
  /** The user id of a person, or a `system:` name. */
  by: string;
  beneficiary?: string;
}

export type ApprovalStatus =
  | 'waiting'
  | 'approved'
  | 'declined'
  | 'withdrawn'
  | 'lapsed'
  | 'carried out'
  | 'not carried out';

export type ApprovalState =
  | { status: 'none' }
  | ({ status: ApprovalStatus; lapsesAt: string; approvedBy?: string } & RequestedApproval);

export type ApprovalCommand =
  /** `facts` are required for an adjustment, which needs no approval within the limits. */
  | ({ type: 'RequestApproval'; now: string; facts?: AdjustmentFacts } & RequestedApproval)
  /** `together`: the earlier adjustments that one of these two people requested and the other approved. */
  | ({ type: 'Approve'; now: string; together?: readonly AgreedTogether[] } & Approver)
  | ({ type: 'Decline'; now: string } & Approver & Reason)
  | { type: 'Withdraw'; by: string; now: string }
  | { type: 'Lapse'; now: string }
  /** `obstacle` is absent if the work was done. */
  | { type: 'RecordOutcome'; obstacle?: string; now: string };

interface Decided {
  approvalId: string;
  by: string;
  at: string;
}

export type ApprovalEvent =
  | { type: 'ApprovalRequested'; data: RequestedApproval & { at: string; lapsesAt: string } }
  /** The requester may make this adjustment alone. */
  | { type: 'ApprovalNotNeeded'; data: Decided }
  | { type: 'ApprovalGiven'; data: Decided }
  | { type: 'ApprovalDeclined'; data: Decided & Reason }
  | { type: 'ApprovalWithdrawn'; data: Decided }
  | { type: 'ApprovalLapsed'; data: { approvalId: string; at: string } }
  | { type: 'ApprovalCarriedOut'; data: { approvalId: string; at: string } }
  /** The approved work is no longer possible. */
  | { type: 'ApprovalNotCarriedOut'; data: { approvalId: string; obstacle: string; at: string } };

export type ApprovalRejection =
  | ApproverRejection
  | AdjustmentRejection
  /** The adjustment exceeds what the two people may give together, so finance must approve. */
  | { code: 'FinanceNeeded' }
  | { code: 'NotFound' }
  | { code: 'AlreadyDecided'; state: ApprovalStatus };

const isShared = (work: ApprovalWork, by: string): boolean =>
  ((work.kind === 'release-sale' || work.kind === 'record-purchase') && (work.sharedBy ?? []).includes(by)) ||
  (work.kind === 'record-purchase' && work.creatorId === by);

const obstacleOf = (
  approver: Approver & { now: string },
  request: Exclude<ApprovalState, { status: 'none' }>,
): ApproverRejection | undefined =>
  obstacleTo(approver, request, decidedBy(request.work)) ??
  (isShared(request.work, approver.by) ? { code: 'OwnInterest' } : undefined);

function decide(command: ApprovalCommand, state: ApprovalState): Decision<ApprovalEvent, ApprovalRejection> {
  if (command.type === 'RequestApproval') {
    if (state.status !== 'none') return accept();
    const { type: _, now: at, facts, ...requested } = command;
    const { approvalId, by, work } = requested;
    if (by === requested.beneficiary || isShared(work, by)) return reject({ code: 'OwnInterest' });
    const data = { ...requested, at, lapsesAt: lapseAfter(at) };
    const asked = { type: 'ApprovalRequested', data } as const;
    if (work.kind !== 'adjustment') return accept(asked);
    assert(facts !== undefined, 'an adjustment is decided by its facts');
    const obstacle = obstacleToAdjustment(work, facts);
    if (obstacle) return reject(obstacle);
    if (needsSecondPerson(work, facts)) return accept(asked);
    return accept<ApprovalEvent>(asked, { type: 'ApprovalNotNeeded', data: { approvalId, by, at } });
  }
  if (state.status === 'none') return reject({ code: 'NotFound' });
  const { approvalId, status, lapsesAt } = state;
  const { now: at } = command;
  const lapsed = status === 'waiting' && at >= lapsesAt;
  const closed = { code: 'AlreadyDecided', state: lapsed ? 'lapsed' : status } as const;
  const open = status === 'waiting' && !lapsed;
  switch (command.type) {
    case 'Approve': {
      const obstacle = obstacleOf(command, state);
      if (obstacle) return reject(obstacle);
      if (state.approvedBy !== undefined) return accept();
      if (!open) return reject(closed);
      const { work } = state;
      const value = work.kind === 'adjustment' && !command.roles.has('finance') ? work.valueMicroUsd : 0;
      if (value > 0 && isTooMuchTogether(value, command.together ?? [], at))
        return reject({ code: 'FinanceNeeded' });
      return accept<ApprovalEvent>({ type: 'ApprovalGiven', data: { approvalId, by: command.by, at } });
    }
    case 'Decline': {
      const obstacle = obstacleOf(command, state);
      if (obstacle) return reject(obstacle);
      if (status === 'declined') return accept();
      if (!open) return reject(closed);
      const data = { approvalId, by: command.by, ...reasonIn(command), at };
      return accept<ApprovalEvent>({ type: 'ApprovalDeclined', data });
    }
    case 'Withdraw':
      if (command.by !== state.by) return reject({ code: 'NotAllowed' });
      if (status === 'withdrawn') return accept();
      if (!open) return reject(closed);
      return accept<ApprovalEvent>({ type: 'ApprovalWithdrawn', data: { approvalId, by: command.by, at } });
    case 'Lapse':
      return lapsed ? accept<ApprovalEvent>({ type: 'ApprovalLapsed', data: { approvalId, at } }) : accept();
    case 'RecordOutcome':
      if (status === 'carried out' || status === 'not carried out') return accept();
      if (status !== 'approved') return reject(closed);
      return accept<ApprovalEvent>(
        command.obstacle === undefined
          ? { type: 'ApprovalCarriedOut', data: { approvalId, at } }
          : { type: 'ApprovalNotCarriedOut', data: { approvalId, obstacle: command.obstacle, at } },
      );
    default:
      return unreachable(command);
  }
}

const evolveRequested = evolveBy<
  Exclude<ApprovalState, { status: 'none' }>,
  Exclude<ApprovalEvent, { type: 'ApprovalRequested' }>
>({
  ApprovalNotNeeded: (state) => ({ ...state, status: 'approved' }),
  ApprovalGiven: (state, { by }) => ({ ...state, status: 'approved', approvedBy: by }),
  ApprovalDeclined: (state) => ({ ...state, status: 'declined' }),
  ApprovalWithdrawn: (state) => ({ ...state, status: 'withdrawn' }),
  ApprovalLapsed: (state) => ({ ...state, status: 'lapsed' }),
  ApprovalCarriedOut: (state) => ({ ...state, status: 'carried out' }),
  ApprovalNotCarriedOut: (state) => ({ ...state, status: 'not carried out' }),
});

function evolve(state: ApprovalState, event: ApprovalEvent): ApprovalState {
  if (event.type === 'ApprovalRequested') {
    const { at: _, ...requested } = event.data;
    return { status: 'waiting', ...requested };
  }
  return state.status === 'none' ? state : evolveRequested(state, event);
}

/** Stream `approval-{id}`: a request that a second person has to approve. */
export const approvalDecider: Decider<ApprovalCommand, ApprovalState, ApprovalEvent, ApprovalRejection> = {
  streamOf: (approvalId) => `approval-${approvalId}`,
  initialState: { status: 'none' },
  decide,
  evolve,
};
