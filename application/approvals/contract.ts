import * as z from 'zod';
import { STAFF_ROLES } from '../../domain/accounts/staff.js';
import { exactText, Id, IsoTime, page, pageQuery, namedObject } from '../shared/contract.js';
import { APPROVAL_KINDS, APPROVAL_STATUSES } from './values.js';

const LIMITS = {
  /** Limits for the sum of one administrator's adjustments within 24 hours. More needs a second person. */
  adjustmentCredits: z.int(),
  adjustmentMicroUsd: z.int(),
  /** Limit for all refunds that one administrator makes alone within 24 hours. */
  refundsMicroUsd: z.int(),
  /** The most that an administrator may write off of one creator's debt without a second person's approval. */
  writeOffMicroUsd: z.int(),
};
export const LimitsAnswer = namedObject('Limits', {
  ...LIMITS,
  /** Null for the initial limits. */
  changedAt: IsoTime.nullable(),
  changedByName: z.string().nullable(),
  approvedByName: z.string().nullable(),
  /** The change that waits for a second person. */
  requestId: z.string().nullable(),
});
export type LimitsAnswer = z.infer<typeof LimitsAnswer>;

export const ApprovalWork = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('adjustment'),
    userId: Id,
    credits: z.int(),
    valueMicroUsd: z.int(),
    /** The lot or purchase whose spent or lost credits this adjustment replaces. */
    makesGood: Id.optional(),
    /**
     * If `makesGood` names a lot, the paid lot from which its credits came. If it names a purchase, a paid lot that
     * the purchase was paid with.
     */
    paidLotId: Id.optional(),
  }),
  z.strictObject({
    kind: z.literal('refund'),
    of: z.union([z.strictObject({ invoiceId: Id }), z.strictObject({ lotId: Id })]),
    /** The maximum refund, tax included. */
    amountMicroUsd: z.int(),
  }),
  z.strictObject({ kind: z.literal('write-off'), creatorId: Id, amountMicroUsd: z.int() }),
  z.strictObject({
    kind: z.literal('adjusting-entry'),
    lines: z.array(
      z.strictObject({
        account: z.string(),
        commodity: z.string(),
        /** In millionths of the currency `commodity`. Debits are positive. */
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
    /** The last event of the backup. */
    position: z.int(),
    /** Hours, such as `2026-11-20T14`, whose signed head contradicts the restored log. Checks ignore these heads. */
    heads: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal('release-sale'),
    purchaseId: Id,
    creatorId: Id,
    buyerId: Id.optional(),
    shareMicroUsd: z.int(),
    sharedBy: z.array(Id).optional(),
  }),
  z.strictObject({
    kind: z.literal('record-purchase'),
    certificateId: Id,
    buyerId: Id,
    sampleId: Id,
    creatorId: Id,
    fileSha256: z.string(),
    /** When the purchase that the restored log lacks was made. */
    issuedAt: IsoTime,
    sharedBy: z.array(Id).optional(),
  }),
  z.strictObject({ kind: z.literal('limits'), ...LIMITS }),
  z.strictObject({ kind: z.enum(['grant-role', 'revoke-role']), userId: Id, role: z.enum(STAFF_ROLES) }),
]);

export const ApprovalAnswer = z.object({ id: Id, status: z.enum(APPROVAL_STATUSES) });
export const WaitingAnswer = z.object({ id: Id, status: z.literal('waiting') });

/** A user id, or a `system:` name. */
export const Who = exactText().max(100);

export const Approval = namedObject('Approval', {
  ...ApprovalAnswer.shape,
  work: ApprovalWork,
  reason: z.string(),
  requestedBy: Who,
  requestedByName: z.string(),
  requestedAt: IsoTime,
  beneficiary: Id.nullable(),
  beneficiaryName: z.string().nullable(),
  lapsesAt: IsoTime,
  /**
   * The person who approved, declined or withdrew the request. Null if the request is undecided, lapsed or needed no
   * approval.
   */
  decidedBy: Who.nullable(),
  decidedByName: z.string().nullable(),
  decidedAt: IsoTime.nullable(),
  /** Why the request was declined, or why its work could not be carried out. */
  note: z.string().nullable(),
});
export type Approval = z.infer<typeof Approval>;
export const ApprovalPage = page(Approval);
export type ApprovalPage = z.infer<typeof ApprovalPage>;
export const ApprovalsQuery = z.object({
  ...pageQuery,
  state: z.enum(['waiting', 'decided']).default('waiting'),
  kind: z.enum(APPROVAL_KINDS).optional(),
});

/** An earlier adjustment or refund, by the requester or for the beneficiary, as a help for the decision. */
const Earlier = z.object({
  at: IsoTime,
  kind: z.enum(['adjustment', 'refund']),
  /** The name of the beneficiary. */
  name: z.string(),
  credits: z.int(),
  microUsd: z.int(),
  reason: z.string(),
});

export const ApprovalFacts = Approval.extend({
  /** The requested credits at the shop's highest price of a credit. Null if the request is not about credits. */
  shopMicroUsd: z.int().nullable(),
  balance: z.object({ before: z.int(), after: z.int() }).nullable(),
  /** The requester's limits without a second person, and other adjustments or refunds of the last 24 hours. */
  asker: z.object({
    limitCredits: z.int(),
    limitMicroUsd: z.int(),
    given: z.array(Earlier),
  }),
  person: z
    .object({
      since: IsoTime.nullable(),
      disputes: z.int(),
      /** The beneficiary's adjustments and refunds of the last year, newest first. */
      earlier: z.array(Earlier),
    })
    .nullable(),
}).meta({ id: 'ApprovalFacts' });
export type ApprovalFacts = z.infer<typeof ApprovalFacts>;
