import type { AdjustmentEvent } from '../../domain/credits/adjustment.js';
import type { CreditEvent } from '../../domain/credits/credit-account.js';
import type { SecurityEvent } from '../../domain/accounts/security.js';
import type { StaffEvent } from '../../domain/accounts/staff.js';
import type { ApprovalEvent, ApprovalWork } from '../../domain/approvals/approval.js';
import type { ComplainantEvent } from '../../domain/complaints/complainant.js';
import type { ComplaintEvent } from '../../domain/complaints/complaint.js';
import type { AlertEvent } from '../../domain/alerts/alert.js';
import type { PeriodEvent } from '../../domain/ledger/period.js';
import type { PayoutClaimEvent } from '../../domain/payouts/payout-claim.js';
import type { PayoutEvent } from '../../domain/payouts/payouts.js';
import type { CreatorEvent } from '../../domain/publishing/creator-access.js';
import type { VerificationEvent } from '../../domain/publishing/verification.js';
import type { CopyEvent } from '../../domain/publishing/suspicion.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import type { Limits } from '../../domain/shared/limits.js';
import { inUsd } from '../../domain/shared/micro-usd.js';
import { adding } from '../platform/projections/added-rows.js';
import type { AddedRows, AsyncProjection, Projected } from '../platform/projections/projection.js';
import type { ACT_KINDS, STAFF_ACTIONS } from '../../application/administration/values.js';

type Act =
  | AdjustmentEvent
  | Exclude<ApprovalEvent, { type: 'ApprovalCarriedOut' }>
  | StaffEvent
  | SecurityEvent
  | PeriodEvent
  | ComplainantEvent
  | Extract<ComplaintEvent, { type: 'ComplaintHeld' | 'ComplaintAnswered' | 'CounterNoticeAnswered' }>
  | Extract<AlertEvent, { type: 'AlertRetried' }>
  | Extract<CreditEvent, { type: 'InvoiceRefunded' }>
  | Extract<PayoutEvent, { type: 'CreatorDebtWrittenOff' }>
  | Extract<PayoutClaimEvent, { type: 'PayoutClaimRedeemed' }>
  | Extract<PackEvent, { type: 'PackTakenDown' }>
  | Extract<CopyEvent, { type: 'CopyDecided' | 'SidesSwapped' }>
  | Exclude<CreatorEvent, { type: 'CreatorApplied' }>
  | VerificationEvent;

interface Row {
  by?: string | undefined;
  /** `done`: the outcome of a request that has a row of its own. */
  did: (typeof STAFF_ACTIONS)[number] | 'done';
  /** Absent in a decision: the request names it. */
  kind?: (typeof ACT_KINDS)[number];
  request?: string;
  subject?: string;
  beneficiary?: string | undefined;
  credits?: number;
  microUsd?: number;
  note?: string | undefined;
}

const alone = (agreed: { approvedBy?: string } | undefined) =>
  agreed?.approvedBy === undefined ? 'alone' : 'done';

/**
 * Returns the row of a staff act, or undefined if the system or the user acted. Omits texts that are erased with a
 * person.
 */
function actOf(event: Projected<Act>): Row | undefined {
  switch (event.type) {
    case 'AdjustmentRequested': {
      const {
        by,
        adjustmentId: request,
        userId: beneficiary,
        credits,
        valueMicroUsd,
        explanation,
      } = event.data;
      const amounts = { credits, microUsd: valueMicroUsd, note: explanation || undefined };
      return { by, did: 'asked', kind: 'adjustment', request, beneficiary, ...amounts };
    }
    case 'AdjustmentMadeAlone':
      return { by: event.data.by, did: 'alone', request: event.data.adjustmentId };
    case 'AdjustmentApproved':
      return { by: event.data.by, did: 'approved', request: event.data.adjustmentId };
    case 'AdjustmentDeclined':
      return {
        by: event.data.by,
        did: 'declined',
        request: event.data.adjustmentId,
        note: event.data.reason || undefined,
      };
    case 'AdjustmentFailed':
      return { by: 'system:adjustments', did: 'failed', request: event.data.adjustmentId };
    case 'ApprovalRequested': {
      const { by, approvalId: request, work, beneficiary, reason } = event.data;
      const note = reason || undefined;
      return { by, did: 'asked', kind: work.kind, request, beneficiary, note, ...aboutWork(work) };
    }
    case 'ApprovalGiven':
      return { by: event.data.by, did: 'approved', request: event.data.approvalId };
    case 'ApprovalDeclined':
      return {
        by: event.data.by,
        did: 'declined',
        request: event.data.approvalId,
        note: event.data.reason || undefined,
      };
    case 'ApprovalWithdrawn':
      return { by: event.data.by, did: 'withdrew', request: event.data.approvalId };
    case 'ApprovalLapsed':
      return { by: 'system:approvals', did: 'lapsed', request: event.data.approvalId };
    case 'ApprovalNotCarriedOut':
      return {
        by: 'system:approvals',
        did: 'failed',
        request: event.data.approvalId,
        note: event.data.obstacle,
      };
    case 'StaffRoleGranted': {
      const { by, userId: beneficiary, role: subject } = event.data;
      return { by, did: alone(event.data), kind: 'grant-role', subject, beneficiary };
    }
    case 'StaffRoleRevoked': {
      const { by, userId: beneficiary, role: subject, reason } = event.data;
      const did = alone(event.data);
      return { by, did, kind: 'revoke-role', subject, beneficiary, note: reason || undefined };
    }
    case 'GlassBroken': {
      const { by, userId: beneficiary, role: subject } = event.data;
      return { by, did: 'alone', kind: 'break-glass', subject, beneficiary };
    }
    case 'SessionsEndedByStaff':
      return { by: event.data.by, did: 'alone', kind: 'end-sessions', beneficiary: event.data.userId };
    case 'FactorsReset':
      return { by: event.data.by, did: 'alone', kind: 'reset-factors', beneficiary: event.data.userId };
    case 'PeriodClosed':
      return { by: event.data.by, did: 'alone', kind: 'close-month', subject: event.data.month };
    case 'AlertRetried':
      return { by: event.data.by, did: 'alone', kind: 'retry-report', subject: event.data.key };
    case 'InvoiceRefunded': {
      const { requested, refundId: request, userId: beneficiary, invoiceId: subject, credits } = event.data;
      if (!requested) return undefined;
      const microUsd = event.data.netMicroUsd + event.data.taxMicroUsd;
      const { by, explanation } = requested;
      return {
        by,
        did: alone(requested),
        kind: 'refund',
        request,
        beneficiary,
        subject,
        credits,
        microUsd,
        note: explanation || undefined,
      };
    }
    case 'CreatorDebtWrittenOff': {
      const { creatorId: beneficiary, amountMicroUsd: microUsd } = event.data;
      return { by: 'system:write-off', did: alone(event.data), kind: 'write-off', beneficiary, microUsd };
    }
    case 'PayoutClaimRedeemed':
      return { by: event.data.paidBy, did: 'alone', kind: 'claim', beneficiary: event.data.redeemedBy };
    case 'ComplaintHeld':
      return { by: event.data.by, did: 'alone', kind: 'complaint', subject: 'held' };
    case 'ComplaintAnswered':
    case 'CounterNoticeAnswered':
      return { by: event.data.by, did: 'alone', kind: 'complaint', subject: event.data.decision };
    case 'ComplainantBarred':
    case 'ComplainantAdmitted': {
      const subject = event.type === 'ComplainantBarred' ? 'complainant barred' : 'complainant admitted';
      return { by: event.data.by, did: 'alone', kind: 'complaint', subject };
    }
    case 'PackTakenDown':
      return { by: event.data.by, did: 'alone', kind: 'takedown', subject: event.data.packId };
    case 'CopyDecided': {
      const { by, decision: subject, creatorId: beneficiary } = event.data;
      return { by, did: 'alone', kind: 'copy', subject, beneficiary };
    }
    case 'SidesSwapped': {
      const { by, creatorId: beneficiary } = event.data;
      return { by, did: 'alone', kind: 'copy', subject: 'swapped', beneficiary };
    }
    case 'CreatorApproved':
    case 'CreatorDeclined':
    case 'CreatorSuspended':
    case 'CreatorReinstated':
    case 'CreatorVerified':
    case 'VerificationEnded': {
      const { by, userId: beneficiary } = event.data;
      // A creator who changes their name ends the verification themselves.
      if (by === 'system:auto-approval' || by === beneficiary) return undefined;
      return { by, did: 'alone', kind: 'creator', subject: SUBJECTS[event.type], beneficiary };
    }
  }
}

/** "500 credits, 50.00 USD; refunds 200.00 USD; write-offs 20.00 USD". */
const summaryOf = (limits: Limits): string =>
  `${limits.adjustmentCredits} credits, ${inUsd(limits.adjustmentMicroUsd)}; refunds ${inUsd(limits.refundsMicroUsd)}; write-offs ${inUsd(limits.writeOffMicroUsd)}`;

const SUBJECTS = {
  CreatorApproved: 'approved',
  CreatorDeclined: 'declined',
  CreatorSuspended: 'suspended',
  CreatorReinstated: 'reinstated',
  CreatorVerified: 'verified',
  VerificationEnded: 'verification ended',
} as const;

function aboutWork(work: ApprovalWork): Pick<Row, 'subject' | 'microUsd'> {
  switch (work.kind) {
    case 'grant-role':
    case 'revoke-role':
      return { subject: work.role };
    case 'refund':
      return {
        subject: 'invoiceId' in work.of ? work.of.invoiceId : work.of.lotId,
        microUsd: work.amountMicroUsd,
      };
    case 'write-off':
      return { microUsd: work.amountMicroUsd };
    case 'adjusting-entry': {
      const [{ about = '', commodity = 'usd', delta = 0 } = {}] = work.lines;
      return { subject: about, ...(commodity === 'usd' && { microUsd: Math.abs(delta) }) };
    }
    case 'limits':
      return { subject: summaryOf(work) };
    case 'reopen-month':
    case 'begin-books':
      return { subject: work.month };
    case 'record-restore':
      return { subject: String(work.position) };
    case 'release-sale':
      return { subject: work.purchaseId, microUsd: work.shareMicroUsd };
  }
}

const ACTS: AddedRows<Act> = {
  table: 'staff_act',
  columns: [
    ['position', 'bigint'],
    ['at', 'timestamptz'],
    ['by_id', 'text'],
    ['did', 'text'],
    ['kind', 'text'],
    ['request_id', 'text'],
    ['subject', 'text'],
    ['beneficiary_id', 'text'],
    ['credits', 'int'],
    ['micro_usd', 'bigint'],
    ['note', 'text'],
  ],
  rowsOf(event) {
    const act = actOf(event);
    if (!act) return [];
    const { by, did, kind, request, subject, beneficiary, credits, microUsd, note } = act;
    const row = [by, did, kind, request, subject, beneficiary, credits, microUsd, note];
    return [[event.position, event.recordedAt, ...row.map((value) => value ?? null)]];
  },
};

/** Acts of the staff: requests, decisions, and acts that needed no approval. */
export const staffActs: AsyncProjection<Act> = {
  name: 'staff-acts',
  version: 2,
  lifecycle: 'async', // No decision depends on it.
  types: [
    'AdjustmentRequested',
    'AdjustmentMadeAlone',
    'AdjustmentApproved',
    'AdjustmentDeclined',
    'AdjustmentFailed',
    'ApprovalRequested',
    'ApprovalGiven',
    'ApprovalDeclined',
    'ApprovalWithdrawn',
    'ApprovalLapsed',
    'ApprovalNotCarriedOut',
    'StaffRoleGranted',
    'StaffRoleRevoked',
    'SessionsEndedByStaff',
    'FactorsReset',
    'GlassBroken',
    'PeriodClosed',
    'AlertRetried',
    'InvoiceRefunded',
    'CreatorDebtWrittenOff',
    'PayoutClaimRedeemed',
    'PackTakenDown',
    'ComplaintHeld',
    'ComplaintAnswered',
    'CounterNoticeAnswered',
    'ComplainantBarred',
    'ComplainantAdmitted',
    'CopyDecided',
    'SidesSwapped',
    'CreatorApproved',
    'CreatorDeclined',
    'CreatorSuspended',
    'CreatorReinstated',
    'CreatorVerified',
    'VerificationEnded',
  ],
  ...adding(ACTS),
};
