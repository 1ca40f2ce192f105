import * as z from 'zod';
import { STAFF_ROLES } from '../../domain/accounts/staff.js';
import { DisplayName } from '../accounts/contract.js';
import { Who } from '../approvals/contract.js';
import { ADJUSTMENT_STATUSES } from '../credits/contract.js';
import { CREATOR_STATUSES } from '../publishing/contract.js';
import { Id, IsoTime, page, pageQuery, Reason, soughtText } from '../shared/contract.js';
import {
  ACT_KINDS,
  ADJUSTMENT_MAX_CREDITS,
  ADJUSTMENT_MAX_USD_CENTS,
  DEEDS,
  HIGHEST_LIMITS,
  RECIPIENT_MAX_LENGTH,
} from './values.js';

export const ApplicationsQuery = z.object({
  ...pageQuery,
  /** Absent: those that wait for a decision. `renamed`: approved creators whose name changed after staff verified it. */
  status: z
    .enum([...CREATOR_STATUSES, 'renamed'])
    .exclude(['none'])
    .default('applied'),
});
export const CreatorApplication = z
  .object({
    /** The applicant's user id. */
    id: Id,
    displayName: z.string(),
    email: z.string().nullable(),
    handle: z.string().nullable(),
    status: z.enum(CREATOR_STATUSES),
    /** Staff checked who this is, under the present name. */
    verified: z.boolean(),
    /** The verified name before a rename that staff have not reviewed. */
    formerName: z.string().nullable(),
    reason: z.string().nullable(),
    appliedAt: IsoTime.nullable(),
    updatedAt: IsoTime,
  })
  .meta({ id: 'CreatorApplication' });
export const CreatorApplicationPage = page(CreatorApplication);
export type CreatorApplicationPage = z.infer<typeof CreatorApplicationPage>;
/** The name that was checked, so that a new one is not verified unseen. */
export const VerifyCreatorBody = z.strictObject({ displayName: DisplayName });
export const VerificationAnswer = z.object({ id: Id, verified: z.boolean() });
export const CreatorStatusAnswer = z.object({ id: Id, status: z.enum(CREATOR_STATUSES) });

/** A paid invoice, with what matters for a refund. */
export const PaidInvoiceRow = z
  .object({
    invoiceId: Id,
    paidAt: IsoTime,
    amountUsdCents: z.int(),
    credits: z.int(),
    /** What a refund would take. */
    creditsLeft: z.int(),
    /** Its payment is disputed, so nothing can be refunded now. */
    disputed: z.boolean(),
    refundedUsdCents: z.int(),
    refundableUntil: IsoTime,
  })
  .meta({ id: 'PaidInvoice' });
export type PaidInvoiceRow = z.infer<typeof PaidInvoiceRow>;
/** Newest first, at most a hundred. */
export const PaidInvoices = z.object({ items: z.array(PaidInvoiceRow) });
export type PaidInvoices = z.infer<typeof PaidInvoices>;

const wholeCents = (most: number) =>
  z
    .int()
    .min(0)
    .max(most)
    .multipleOf(10_000)
    .meta({ examples: [10_000] });
/** What one person may do alone from then on. */
export const LimitsBody = z.strictObject({
  adjustmentCredits: z.int().min(0).max(HIGHEST_LIMITS.adjustmentCredits),
  adjustmentMicroUsd: wholeCents(HIGHEST_LIMITS.adjustmentMicroUsd),
  refundsMicroUsd: wholeCents(HIGHEST_LIMITS.refundsMicroUsd),
  writeOffMicroUsd: wholeCents(HIGHEST_LIMITS.writeOffMicroUsd),
  reason: Reason,
});
export type LimitsBody = z.infer<typeof LimitsBody>;

/** A whole pack, or one sample of it. */
export const TakedownBody = z.union([
  z.strictObject({ packId: Id, reason: Reason }),
  z.strictObject({ sampleId: Id, reason: Reason }),
]);
/** A bank is deciding about their payment; they are undone as soon as it has. */
const PurchasesWaiting = z.int();
export const TakedownAnswer = z.object({
  /** What was asked for, one of the two. */
  packId: Id.optional(),
  sampleId: Id.optional(),
  status: z.literal('taken_down'),
  purchasesReturned: z.int(),
  purchasesWaiting: PurchasesWaiting,
});
/** A sample that is not what it claims to be: its buyers get the credits back and lose it. */
export const DefectBody = z.strictObject({ sampleId: Id, reason: Reason });
export const DefectAnswer = z.object({
  sampleId: Id,
  purchasesReturned: z.int(),
  purchasesWaiting: PurchasesWaiting,
});

/** A return that has to wait for a bank's decision about the payment. */
export const DeferredReturn = z
  .object({
    /** Of the purchase. */
    id: Id,
    buyerId: Id,
    buyerName: z.string(),
    sampleId: Id,
    sampleTitle: z.string().nullable(),
    reason: z.enum(['takedown', 'defect']),
    explanation: z.string(),
    /** `withheld`: nothing went back, because the bank or a refund had returned the money already. */
    status: z.enum(['waiting', 'returned', 'withheld']),
    /** What the buyer got back. */
    returnedCredits: z.int().nullable(),
    askedAt: IsoTime,
    settledAt: IsoTime.nullable(),
  })
  .meta({ id: 'DeferredReturn' });
export const DeferredReturnPage = page(DeferredReturn);
export type DeferredReturnPage = z.infer<typeof DeferredReturnPage>;
export const DeferredReturnsQuery = z.object(pageQuery);

export const AdjustmentBody = z.strictObject({
  userId: Id,
  /** Above 0: given. Below 0: taken from the unspent credits. */
  credits: z
    .int()
    .min(-ADJUSTMENT_MAX_CREDITS)
    .max(ADJUSTMENT_MAX_CREDITS)
    .refine((credits) => credits !== 0, 'Not 0'),
  reason: Reason,
  /** The user's lot or purchase that the credits compensate. */
  makesGood: Id.optional(),
  /**
   * The total worth of the credits if the shop pays for them; creators then earn by them. At most their price in
   * the dearest plan, and 0 unless they compensate something.
   */
  valueUsdCents: z.int().min(0).max(ADJUSTMENT_MAX_USD_CENTS).default(0),
});
export type AdjustmentBody = z.infer<typeof AdjustmentBody>;

/** Refunds the unspent part of an invoice, which is named by its id or by that of its lot. */
export const RefundBody = z.union([
  z.strictObject({ invoiceId: Id, reason: Reason }),
  z.strictObject({ lotId: Id, reason: Reason }),
]);
export const RefundAnswer = z
  .object({
    id: Id,
    status: z.enum(['refunded', 'pending', 'failed']),
    userId: Id,
    invoiceId: Id,
    lotId: Id,
    /** Tax included. */
    amountUsdCents: z.int(),
    creditsRevoked: z.int(),
    balance: z.int(),
  })
  .meta({ id: 'Refund' });
export type RefundAnswer = z.infer<typeof RefundAnswer>;

/** What an administrator gave or took, and who agreed. */
export const AdjustmentRequest = z
  .object({
    id: Id,
    userId: Id,
    userName: z.string(),
    credits: z.int(),
    valueMicroUsd: z.int(),
    /** The lot or the purchase that it compensates. */
    makesGood: Id.nullable(),
    reason: z.string(),
    status: z.enum(ADJUSTMENT_STATUSES),
    requestedBy: Id,
    requestedByName: z.string(),
    requestedAt: IsoTime,
    /** The second person; null if one was enough, or none has decided yet. */
    decidedBy: Id.nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: IsoTime.nullable(),
  })
  .meta({ id: 'AdjustmentRequest' });
export const AdjustmentPage = page(AdjustmentRequest);
export type AdjustmentPage = z.infer<typeof AdjustmentPage>;
export const AdjustmentsQuery = z.object(pageQuery);

/** A mail of the last `MAIL_LOG_DAYS`; what it said is not kept. */
export const LoggedMail = z
  .object({
    id: Id,
    to: z.string(),
    subject: z.string(),
    status: z.enum(['sending', 'sent', 'failed']),
    /** The number of attempts at the mail server. */
    attempts: z.int(),
    lastError: z.string().nullable(),
    askedAt: IsoTime,
    /** When it was sent or given up. */
    settledAt: IsoTime.nullable(),
  })
  .meta({ id: 'LoggedMail' });
export const LoggedMailPage = page(LoggedMail);
export type LoggedMailPage = z.infer<typeof LoggedMailPage>;
/** `to`: the beginning of the recipient's address. */
export const MailsQuery = z.object({
  ...pageQuery,
  to: soughtText(RECIPIENT_MAX_LENGTH).trim().default(''),
});

export const JobsAnswer = z
  .object({
    kinds: z.array(
      z.object({
        kind: z.string(),
        waiting: z.int(),
        running: z.int(),
        failed: z.int(),
        /** How long the first of those that can be begun has waited. */
        oldestSeconds: z.number(),
      }),
    ),
    /** Those that run, the longest first. */
    running: z.array(
      z.object({ id: Id, kind: z.string(), name: z.string(), attempt: z.int(), startedAt: IsoTime }),
    ),
    /** Those that failed for good. */
    items: z.array(
      z.object({
        id: Id,
        kind: z.string(),
        name: z.string(),
        attempts: z.int(),
        error: z.string(),
        failedAt: IsoTime,
      }),
    ),
  })
  .meta({ id: 'Jobs' });
export type JobsAnswer = z.infer<typeof JobsAnswer>;

export const StaffRoleParams = { userId: Id, role: z.enum(STAFF_ROLES) };
export const StaffMembers = z.object({
  items: z.array(
    z.object({
      userId: Id,
      displayName: z.string(),
      email: z.string(),
      role: z.enum(STAFF_ROLES),
      grantedBy: Who,
      grantedByName: z.string(),
      grantedAt: IsoTime,
      /** Whether there is a passkey or an authenticator app. */
      hasSecondFactor: z.boolean(),
    }),
  ),
});
export type StaffMembers = z.infer<typeof StaffMembers>;
export const RevokedAnswer = z.object({
  userId: Id,
  role: z.enum(STAFF_ROLES),
  /** False: it was not held. */
  revoked: z.boolean(),
});

/** What somebody of the staff, or the house, did. None can be changed. */
export const StaffAct = z
  .object({
    id: z.string(),
    at: IsoTime,
    by: Who.nullable(),
    byName: z.string(),
    did: z.enum(DEEDS),
    kind: z.enum(ACT_KINDS),
    /** A role, a month, a pack or an invoice. */
    subject: z.string().nullable(),
    beneficiary: Who.nullable(),
    beneficiaryName: z.string().nullable(),
    credits: z.int().nullable(),
    microUsd: z.int().nullable(),
    note: z.string().nullable(),
    /** Who had asked for what was decided. */
    askedByName: z.string().nullable(),
    /** From the question to the decision. */
    waitedMs: z.int().nullable(),
    /** Nobody has decided yet. */
    waits: z.boolean(),
  })
  .meta({ id: 'StaffAct' });
export type StaffAct = z.infer<typeof StaffAct>;
export const StaffActPage = page(StaffAct);
export type StaffActPage = z.infer<typeof StaffActPage>;
const chosen = {
  /** Who did it, or had something of it. */
  person: Id.optional(),
  kind: z.enum(ACT_KINDS).optional(),
  did: z.enum(DEEDS).optional(),
  /** Days (UTC), both included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
};
export const StaffActsQuery = z.object({ ...pageQuery, ...chosen });
export const StaffActsExportQuery = z.object(chosen);
export type StaffActsExportQuery = z.infer<typeof StaffActsExportQuery>;
