import * as z from 'zod';
import { DisplayName } from '../accounts/contract.js';
import { CREATOR_STATUSES } from '../publishing/contract.js';
import { Id, IsoTime, page, pageQuery, Reason, soughtText } from '../shared/contract.js';
import {
  ADJUSTMENT_MAX_CREDITS,
  ADJUSTMENT_MAX_USD_CENTS,
  HIGHEST_LIMITS,
  NAMES_AT_ONCE,
  PEOPLE_SEARCH_MIN_LENGTH,
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

/** A part of a name or handle, the beginning of an e-mail address, or a whole user id. */
export const PeopleQuery = z.object({ q: soughtText(200).trim().min(PEOPLE_SEARCH_MIN_LENGTH) });
/** A person with an account. */
export const Person = z
  .object({ id: Id, displayName: z.string(), email: z.string(), handle: z.string().nullable() })
  .meta({ id: 'Person' });
export type Person = z.infer<typeof Person>;
/** The best matches, at most ten. */
export const PeopleAnswer = z.object({ items: z.array(Person) });
export type PeopleAnswer = z.infer<typeof PeopleAnswer>;

/** Ids with commas. */
export const NamesQuery = z.object({
  ids: z.preprocess(
    (value) =>
      String(value ?? '')
        .split(',')
        .filter(Boolean),
    z.array(Id).min(1).max(NAMES_AT_ONCE),
  ),
});
/** Those that belong to people, in any order. */
export const NamesAnswer = z.object({ items: z.array(z.object({ id: Id, name: z.string() })) });
export type NamesAnswer = z.infer<typeof NamesAnswer>;

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

export const ADJUSTMENT_STATUSES = ['applied', 'waiting', 'approved', 'declined', 'failed'] as const;
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
export const AdjustmentAnswer = z.object({
  id: Id,
  status: z.enum(ADJUSTMENT_STATUSES),
  /** The user's credits after it; absent while it waits. */
  balance: z.int().optional(),
});
export type AdjustmentAnswer = z.infer<typeof AdjustmentAnswer>;

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
