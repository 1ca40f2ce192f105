import type { CreditEvent } from '../../domain/credits/credit-account.js';
import type { SecurityEvent } from '../../domain/accounts/security.js';
import type { StaffEvent } from '../../domain/accounts/staff.js';
import type { ApprovalEvent, ApprovalWork } from '../../domain/approvals/approval.js';
import {
  asApprovalEvent,
  OLD_ADJUSTMENT_TYPES,
  type OldAdjustmentEvent,
} from '../../domain/approvals/old-adjustment.js';
import type { ComplainantEvent } from '../../domain/complaints/complainant.js';
import type { ComplaintEvent } from '../../domain/complaints/complaint.js';
import type { AlertEvent } from '../../domain/alerts/alert.js';
import type { CreatorTaxExport } from '../../domain/ledger/creator-tax-export.js';
import type { PeriodEvent } from '../../domain/ledger/period.js';
import type { PayoutClaimEvent } from '../../domain/payouts/payout-claim.js';
import type { PayoutEvent } from '../../domain/payouts/payouts.js';
import type { CreatorEvent } from '../../domain/publishing/creator-access.js';
import type { VerificationEvent } from '../../domain/publishing/verification.js';
import type { CopyEvent } from '../../domain/publishing/suspicion.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { byType } from '../../domain/shared/by-type.js';
import type { Limits } from '../../domain/shared/limits.js';
import { inUsd } from '../../domain/shared/micro-usd.js';
import { adding } from '../platform/projections/added-rows.js';
import type { AddedRows, AsyncProjection } from '../platform/projections/projection.js';
import type { ACT_KINDS, STAFF_ACTIONS } from '../../application/administration/values.js';

type Act =
  | ApprovalEvent
  | StaffEvent
  | SecurityEvent
  | Extract<PeriodEvent, { type: 'PeriodClosed' }>
  | { type: 'CreatorTaxesExported'; data: CreatorTaxExport }
  | ComplainantEvent
  | Extract<ComplaintEvent, { type: 'ComplaintHeld' | 'ComplaintAnswered' | 'CounterNoticeAnswered' }>
  | Extract<AlertEvent, { type: 'AlertRetried' }>
  | Extract<CreditEvent, { type: 'InvoiceRefunded' }>
  | Extract<PayoutEvent, { type: 'CreatorDebtWrittenOff' }>
  | Extract<PayoutClaimEvent, { type: 'PayoutClaimRedeemed' }>
  | Extract<PackEvent, { type: 'PackTakenDown' }>
  | Extract<CopyEvent, { type: 'CopyDecided' | 'SidesSwapped' }>
  | Exclude<CreatorEvent, { type: 'CreatorApplied' | 'ApplicationWithdrawn' }>
  | VerificationEvent;

interface Row {
  by?: string | undefined;
  /** `done`: an approved request was carried out. Lists omit this row and show only the request. */
  did: (typeof STAFF_ACTIONS)[number] | 'done';
  /** Absent in the row of a decision: the row of its request has the kind. */
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

const act = (
  kind: Row['kind'] & string,
  by: Row['by'],
  more: Omit<Row, 'by' | 'did' | 'kind'> = {},
): Row => ({
  by,
  did: 'alone',
  kind,
  ...more,
});

/**
 * Adds no row if no staff member acted: for automatic approvals, and for verifications that end because the creator
 * takes a new name.
 */
const ofCreator =
  (subject: string) =>
  ({ data: { by, userId: beneficiary } }: { data: { by: string; userId: string } }): Row | undefined =>
    by === 'system:auto-approval' || by === beneficiary
      ? undefined
      : act('creator', by, { subject, beneficiary });

const onRole = (
  kind: 'grant-role' | 'revoke-role' | 'break-glass',
  { by, userId, role }: { by: string; userId: string; role: string },
): Row => act(kind, by, { subject: role, beneficiary: userId });

const onComplaint =
  (subject: string) =>
  ({ data: { by } }: { data: { by: string } }): Row =>
    act('complaint', by, { subject });

/** Returns an event's row in the list of staff acts; undefined if it adds none. Omits remarks, which may be erased. */
const acts = byType<Act, [], Row | undefined>({
  ApprovalRequested({ data: { by, approvalId: request, work, beneficiary, reason } }) {
    const note = reason || undefined;
    return { by, did: 'asked', kind: work.kind, request, beneficiary, note, ...aboutWork(work) };
  },
  ApprovalNotNeeded: ({ data }) => ({ by: data.by, did: 'alone', request: data.approvalId }),
  ApprovalGiven: ({ data }) => ({ by: data.by, did: 'approved', request: data.approvalId }),
  ApprovalDeclined: ({ data: { by, approvalId: request, reason } }) => ({
    by,
    did: 'declined',
    request,
    note: reason || undefined,
  }),
  ApprovalWithdrawn: ({ data }) => ({ by: data.by, did: 'withdrew', request: data.approvalId }),
  ApprovalLapsed: ({ data }) => ({ by: 'system:approvals', did: 'lapsed', request: data.approvalId }),
  ApprovalCarriedOut: () => undefined,
  ApprovalNotCarriedOut: ({ data: { approvalId: request, obstacle: note } }) => ({
    by: 'system:approvals',
    did: 'failed',
    request,
    note,
  }),
  StaffRoleGranted: ({ data }) => ({ ...onRole('grant-role', data), did: alone(data) }),
  StaffRoleRevoked: ({ data }) => ({
    ...onRole('revoke-role', data),
    did: alone(data),
    note: data.reason || undefined,
  }),
  GlassBroken: ({ data }) => onRole('break-glass', data),
  SessionsEndedByStaff: ({ data: { by, userId } }) => act('end-sessions', by, { beneficiary: userId }),
  FactorsReset: ({ data: { by, userId } }) => act('reset-factors', by, { beneficiary: userId }),
  PeriodClosed: ({ data: { by, month } }) => act('close-month', by, { subject: month }),
  CreatorTaxesExported: ({ data: { by, year, country } }) =>
    act('creator-taxes', by, { subject: [year, country].filter(Boolean).join(' ') }),
  AlertRetried: ({ data: { by, key } }) => act('retry-report', by, { subject: key }),
  InvoiceRefunded({ data }) {
    const { requested, refundId: request, userId: beneficiary, invoiceId: subject, credits } = data;
    if (!requested) return undefined;
    const amounts = { credits, microUsd: data.netMicroUsd + data.taxMicroUsd };
    const { by, explanation } = requested;
    const note = explanation || undefined;
    return { by, did: alone(requested), kind: 'refund', request, beneficiary, subject, ...amounts, note };
  },
  CreatorDebtWrittenOff({ data }) {
    const { creatorId: beneficiary, amountMicroUsd: microUsd } = data;
    return { by: 'system:write-off', did: alone(data), kind: 'write-off', beneficiary, microUsd };
  },
  PayoutClaimRedeemed: ({ data: { paidBy, redeemedBy } }) =>
    act('claim', paidBy, { beneficiary: redeemedBy }),
  ComplaintHeld: onComplaint('held'),
  ComplaintAnswered: (event) => onComplaint(event.data.decision)(event),
  CounterNoticeAnswered: (event) => onComplaint(event.data.decision)(event),
  ComplainantBarred: onComplaint('complainant barred'),
  ComplainantAdmitted: onComplaint('complainant admitted'),
  PackTakenDown: ({ data: { by, packId } }) => act('takedown', by, { subject: packId }),
  CopyDecided: ({ data: { by, decision, creatorId } }) =>
    act('copy', by, { subject: decision, beneficiary: creatorId }),
  SidesSwapped: ({ data: { by, creatorId } }) =>
    act('copy', by, { subject: 'swapped', beneficiary: creatorId }),
  CreatorApproved: ofCreator('approved'),
  ApplicantAsked: ofCreator('asked back'),
  CreatorDeclined: ofCreator('declined'),
  CreatorSuspended: ofCreator('suspended'),
  CreatorReinstated: ofCreator('reinstated'),
  CreatorVerified: ofCreator('verified'),
  VerificationEnded: ofCreator('verification ended'),
});

/** Returns the limits as text: "500 credits, 50.00 USD; refunds 200.00 USD; write-offs 20.00 USD". */
const summaryOf = (limits: Limits): string =>
  `${limits.adjustmentCredits} credits, ${inUsd(limits.adjustmentMicroUsd)}; refunds ${inUsd(limits.refundsMicroUsd)}; write-offs ${inUsd(limits.writeOffMicroUsd)}`;

function aboutWork(work: ApprovalWork): Pick<Row, 'subject' | 'credits' | 'microUsd'> {
  switch (work.kind) {
    case 'adjustment':
      return { credits: work.credits, microUsd: work.valueMicroUsd };
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
    case 'record-purchase':
      return { subject: work.certificateId };
    case 'release-sale':
      return { subject: work.purchaseId, microUsd: work.shareMicroUsd };
  }
}

const ROWS: AddedRows<Act | OldAdjustmentEvent> = {
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
    const act = acts.of(asApprovalEvent(event));
    if (!act) return [];
    const { by, did, kind, request, subject, beneficiary, credits, microUsd, note } = act;
    const row = [by, did, kind, request, subject, beneficiary, credits, microUsd, note];
    return [[event.position, event.recordedAt, ...row.map((value) => value ?? null)]];
  },
};

export const staffActs: AsyncProjection<Act | OldAdjustmentEvent> = {
  name: 'staff-acts',
  version: 3, // 3: adjustments are approvals
  lifecycle: 'async', // No decision depends on this table.
  types: [...acts.types, ...OLD_ADJUSTMENT_TYPES],
  ...adding(ROWS),
};
