import * as z from 'zod';
import { STAFF_ROLES } from '../../domain/accounts/staff.js';
import { exactText, Id, IsoTime, page, pageQuery } from '../shared/contract.js';
import { APPROVAL_STATUSES } from './values.js';

/** What one person decides alone. */
const LIMITS = {
  /** All adjustments of one administrator in 24 hours. */
  adjustmentCredits: z.int(),
  adjustmentMicroUsd: z.int(),
  /** All refunds of one administrator in 24 hours. */
  refundsMicroUsd: z.int(),
  /** One debt of a creator. */
  writeOffMicroUsd: z.int(),
};
export const LimitsAnswer = z
  .object({
    ...LIMITS,
    /** Null: they are those of the beginning. */
    changedAt: IsoTime.nullable(),
    changedByName: z.string().nullable(),
    approvedByName: z.string().nullable(),
    /** The change that waits for a second person. */
    requestId: z.string().nullable(),
  })
  .meta({ id: 'Limits' });
export type LimitsAnswer = z.infer<typeof LimitsAnswer>;

/** What is done once somebody agreed. */
export const ApprovalWork = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('adjustment'),
    userId: Id,
    credits: z.int(),
    valueMicroUsd: z.int(),
    makesGood: Id.nullable(),
  }),
  z.strictObject({
    kind: z.literal('refund'),
    of: z.union([z.strictObject({ invoiceId: Id }), z.strictObject({ lotId: Id })]),
    /** At most, tax included. */
    amountMicroUsd: z.int(),
  }),
  z.strictObject({ kind: z.literal('write-off'), creatorId: Id, amountMicroUsd: z.int() }),
  z.strictObject({
    kind: z.literal('adjusting-entry'),
    lines: z.array(
      z.strictObject({
        account: z.string(),
        commodity: z.string(),
        /** In millionths; a debit is positive. */
        delta: z.int(),
        about: z.string().optional(),
      }),
    ),
    evidence: z.string(),
    month: z.string().optional(),
  }),
  z.strictObject({ kind: z.enum(['reopen-month', 'begin-books']), month: z.string() }),
  z.strictObject({
    kind: z.literal('record-restore'),
    /** The last event that the backup had. */
    position: z.int(),
    /** The hours of the signed heads after it that contradict the log; they will be excused. */
    heads: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal('release-sale'),
    purchaseId: Id,
    creatorId: Id,
    buyerId: Id.optional(),
    shareMicroUsd: z.int(),
  }),
  z.strictObject({ kind: z.literal('limits'), ...LIMITS }),
  z.strictObject({ kind: z.enum(['grant-role', 'revoke-role']), userId: Id, role: z.enum(STAFF_ROLES) }),
]);
export type ApprovalWork = z.infer<typeof ApprovalWork>;

export const ApprovalAnswer = z.object({ id: Id, status: z.enum(APPROVAL_STATUSES) });
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;
/** What waits for a second person. */
export const WaitingAnswer = z.object({ id: Id, status: z.literal('waiting') });

/** A user id, or `system:…` for the house. */
export const Who = exactText().max(100);

/** What one person asked for, and who agreed or did not. */
export const Approval = z
  .object({
    ...ApprovalAnswer.shape,
    work: ApprovalWork,
    reason: z.string(),
    requestedBy: Who,
    requestedByName: z.string(),
    requestedAt: IsoTime,
    /** Who has something of it. */
    beneficiary: Id.nullable(),
    beneficiaryName: z.string().nullable(),
    /** Undecided by then, it is void; null: it waits until somebody decides. */
    lapsesAt: IsoTime.nullable(),
    decidedBy: Who.nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: IsoTime.nullable(),
    /** Why it was declined, or could not be done. */
    note: z.string().nullable(),
  })
  .meta({ id: 'Approval' });
export type Approval = z.infer<typeof Approval>;
export const ApprovalPage = page(Approval);
export type ApprovalPage = z.infer<typeof ApprovalPage>;
export const ApprovalsQuery = z.object({
  ...pageQuery,
  state: z.enum(['waiting', 'decided']).default('waiting'),
});

/** One thing that the asker gave, or the person got. */
const Earlier = z.object({
  at: IsoTime,
  kind: z.enum(['adjustment', 'refund']),
  /** Who got it. */
  name: z.string(),
  credits: z.int(),
  microUsd: z.int(),
  reason: z.string(),
});

/** A request with what whoever decides on it should know. */
export const ApprovalFacts = Approval.extend({
  /** What the credits cost in the dearest plan; null: it is not about credits. */
  shopMicroUsd: z.int().nullable(),
  /** The credits that the person has, and would have. */
  balance: z.object({ before: z.int(), after: z.int() }).nullable(),
  /** The asker's other gifts of the last 24 hours, against what one person may alone. */
  asker: z.object({
    limitCredits: z.int(),
    limitMicroUsd: z.int(),
    given: z.array(Earlier),
  }),
  /** Who has something of it, before this. */
  person: z
    .object({
      since: IsoTime.nullable(),
      disputes: z.int(),
      /** Of a year, newest first. */
      earlier: z.array(Earlier),
    })
    .nullable(),
}).meta({ id: 'ApprovalFacts' });
export type ApprovalFacts = z.infer<typeof ApprovalFacts>;
