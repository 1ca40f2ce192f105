import * as z from 'zod';
import { STAFF_ROLES } from '../../domain/accounts/staff.js';
import { Who } from '../approvals/contract.js';
import { ApplicationSound, CREATOR_STATUSES } from '../publishing/contract.js';
import { Certificate } from '../purchases/contract.js';
import {
  Id,
  IsoTime,
  page,
  pageQuery,
  Reason,
  ReasonBody,
  soughtText,
  namedObject,
} from '../shared/contract.js';
import {
  ACT_KINDS,
  ADJUSTMENT_MAX_CREDITS,
  ADJUSTMENT_MAX_USD_CENTS,
  STAFF_ACTIONS,
  HIGHEST_LIMITS,
  RECIPIENT_MAX_LENGTH,
} from './values.js';

export const ApplicationsQuery = z.object({
  ...pageQuery,
  /** `applied` are applications that wait for a decision; `renamed` are creators who changed a verified name. */
  status: z
    .enum([...CREATOR_STATUSES, 'renamed'])
    .exclude(['none'])
    .default('applied'),
});
export const CreatorApplication = namedObject('CreatorApplication', {
  /** The applicant's user id. */
  id: Id,
  displayName: z.string(),
  email: z.string().nullable(),
  handle: z.string().nullable(),
  status: z.enum(CREATOR_STATUSES),
  /** Whether staff have checked the creator's identity under the present name. */
  verified: z.boolean(),
  /** The verified name that the creator gave up, until staff have reviewed the new name. */
  formerName: z.string().nullable(),
  reason: z.string().nullable(),
  appliedAt: IsoTime.nullable(),
  updatedAt: IsoTime,
});
/** The newest hundred events of an applicant or creator. */
export const ApplicationHistory = z.object({
  /**
   * The sounds in the application of a would-be creator, each with the recordings by other creators that it may be a
   * copy of.
   */
  sounds: z.array(
    namedObject('AuditionedSound', {
      ...ApplicationSound.shape,
      /** Whether the sound was compared with the catalogue. */
      isCompared: z.boolean(),
      alike: z.array(
        z.object({
          sampleId: Id,
          title: z.string(),
          creatorName: z.string(),
          packTitle: z.string(),
          /** The path of the pack. Null if the pack is not on sale. */
          path: z.string().nullable(),
          previewUrl: z.string(),
          /** The similarity in per cent; 100 for the same file. */
          score: z.int(),
          isTakenDown: z.boolean(),
        }),
      ),
    }),
  ),
  items: z.array(
    namedObject('ApplicationEvent', {
      status: z.enum(CREATOR_STATUSES),
      at: IsoTime,
      by: z.string().describe('The name of the person'),
      /** The words of the applicant or administrator. Null if they wrote nothing, or if their text was erased. */
      text: z.string().nullable(),
      links: z.array(z.string()),
    }),
  ),
});
export type ApplicationHistory = z.infer<typeof ApplicationHistory>;
export const CreatorApplicationPage = page(CreatorApplication);
export type CreatorApplicationPage = z.infer<typeof CreatorApplicationPage>;

export const PaidInvoiceRow = namedObject('PaidInvoice', {
  invoiceId: Id,
  paidAt: IsoTime,
  amountUsdCents: z.int(),
  credits: z.int(),
  /** Credits that a refund would revoke. */
  creditsLeft: z.int(),
  /** Whether the payment is disputed. A disputed payment cannot be refunded. */
  disputed: z.boolean(),
  refundedUsdCents: z.int(),
  refundableUntil: IsoTime,
});
export type PaidInvoiceRow = z.infer<typeof PaidInvoiceRow>;
/** At most a hundred paid invoices, newest first. */
export const PaidInvoices = z.object({ items: z.array(PaidInvoiceRow) });
export type PaidInvoices = z.infer<typeof PaidInvoices>;

const wholeCents = (most: number) =>
  z
    .int()
    .min(0)
    .max(most)
    .multipleOf(10_000)
    .meta({ examples: [10_000] });
export const LimitsBody = z.strictObject({
  adjustmentCredits: z.int().min(0).max(HIGHEST_LIMITS.adjustmentCredits),
  adjustmentMicroUsd: wholeCents(HIGHEST_LIMITS.adjustmentMicroUsd),
  refundsMicroUsd: wholeCents(HIGHEST_LIMITS.refundsMicroUsd),
  writeOffMicroUsd: wholeCents(HIGHEST_LIMITS.writeOffMicroUsd),
  reason: Reason,
});
export type LimitsBody = z.infer<typeof LimitsBody>;

export const TakedownBody = z.union([
  z.strictObject({ packId: Id, reason: Reason }),
  z.strictObject({ sampleId: Id, reason: Reason }),
]);
/** The number of purchases whose return waits, because a bank has not yet decided about their payment. */
const PurchasesWaiting = z.int();
export const TakedownAnswer = z.object({
  /** The pack or sample that the request named. */
  packId: Id.optional(),
  sampleId: Id.optional(),
  status: z.literal('taken_down'),
  purchasesReturned: z.int(),
  purchasesWaiting: PurchasesWaiting,
});
/** A sample that differs from its description. Its buyers get their credits back and lose the sample. */
export const DefectBody = z.strictObject({ sampleId: Id, reason: Reason });
export const DefectAnswer = z.object({
  sampleId: Id,
  purchasesReturned: z.int(),
  purchasesWaiting: PurchasesWaiting,
});

/** A return that was deferred until a bank decides a dispute about the payment. */
export const DeferredReturn = namedObject('DeferredReturn', {
  /** The id of the purchase. */
  id: Id,
  buyerId: Id,
  buyerName: z.string(),
  sampleId: Id,
  sampleTitle: z.string().nullable(),
  reason: z.enum(['takedown', 'defect']),
  explanation: z.string(),
  /** `withheld`: no credits went back, because a bank, refund or adjustment had already given the buyer their value. */
  status: z.enum(['waiting', 'returned', 'withheld']),
  returnedCredits: z.int().nullable(),
  askedAt: IsoTime,
  settledAt: IsoTime.nullable(),
});
export const DeferredReturnPage = page(DeferredReturn);
export type DeferredReturnPage = z.infer<typeof DeferredReturnPage>;

export const AdjustmentBody = z.strictObject({
  userId: Id,
  /** Positive to give credits. Negative to take unspent credits. */
  credits: z
    .int()
    .min(-ADJUSTMENT_MAX_CREDITS)
    .max(ADJUSTMENT_MAX_CREDITS)
    .refine((credits) => credits !== 0, 'Not 0'),
  reason: Reason,
  /** The user's lot or purchase whose spent or lost credits this adjustment replaces. */
  makesGood: Id.optional(),
  /**
   * The value of the given credits together. Creators earn shares of this value when the user spends the credits.
   * Must be 0 if `makesGood` is absent.
   */
  valueUsdCents: z.int().min(0).max(ADJUSTMENT_MAX_USD_CENTS).default(0),
});
export type AdjustmentBody = z.infer<typeof AdjustmentBody>;
export const AdjustmentAnswer = z.object({
  id: Id,
  status: z.enum(['applied', 'waiting', 'approved', 'declined', 'withdrawn', 'lapsed']),
  /** The user's credits after the adjustment. Absent until the adjustment is applied. */
  balance: z.int().optional(),
});
export type AdjustmentAnswer = z.infer<typeof AdjustmentAnswer>;

export const RefundBody = z.union([
  z.strictObject({ invoiceId: Id, reason: Reason }),
  z.strictObject({ lotId: Id, reason: Reason }),
]);
export const RefundAnswer = namedObject('Refund', {
  id: Id,
  status: z.enum(['refunded', 'pending', 'failed']),
  userId: Id,
  invoiceId: Id,
  lotId: Id,
  /** The refunded amount, tax included. */
  amountUsdCents: z.int(),
  creditsRevoked: z.int(),
  balance: z.int(),
});
export type RefundAnswer = z.infer<typeof RefundAnswer>;

/** A mail of the last `MAIL_LOG_DAYS` days, without its text, which is not stored. */
export const LoggedMail = namedObject('LoggedMail', {
  id: Id,
  to: z.string(),
  subject: z.string(),
  status: z.enum(['sending', 'sent', 'failed']),
  attempts: z.int(),
  lastError: z.string().nullable(),
  askedAt: IsoTime,
  settledAt: IsoTime.nullable(),
});
export const LoggedMailPage = page(LoggedMail);
export type LoggedMailPage = z.infer<typeof LoggedMailPage>;
/** `to`: the beginning of a recipient's address. */
export const MailsQuery = z.object({
  ...pageQuery,
  to: soughtText(RECIPIENT_MAX_LENGTH).trim().default(''),
});

export const JobsAnswer = namedObject('Jobs', {
  kinds: z.array(
    z.object({
      kind: z.string(),
      waiting: z.int(),
      running: z.int(),
      failed: z.int(),
      /** Seconds since the oldest due job became due. Zero if no job is due. */
      oldestSeconds: z.number(),
    }),
  ),
  /** Running jobs, the longest running first. */
  running: z.array(
    z.object({ id: Id, kind: z.string(), name: z.string(), attempt: z.int(), startedAt: IsoTime }),
  ),
  /** Jobs that failed and are not retried. */
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
});
export type JobsAnswer = z.infer<typeof JobsAnswer>;

export const StaffRoleParams = { userId: Id, role: z.enum(STAFF_ROLES) };

export const StaffAct = namedObject('StaffAct', {
  id: z.string(),
  at: IsoTime,
  by: Who.nullable(),
  byName: z.string(),
  did: z.enum(STAFF_ACTIONS),
  kind: z.enum(ACT_KINDS),
  /** What the act was about, such as a role, a month, a pack or an invoice. */
  subject: z.string().nullable(),
  beneficiary: Who.nullable(),
  beneficiaryName: z.string().nullable(),
  credits: z.int().nullable(),
  microUsd: z.int().nullable(),
  note: z.string().nullable(),
  /** The requester, if the act is a decision. */
  askedByName: z.string().nullable(),
  waitedMs: z.int().nullable(),
  waits: z.boolean(),
});
export type StaffAct = z.infer<typeof StaffAct>;
export const StaffActPage = page(StaffAct);
export type StaffActPage = z.infer<typeof StaffActPage>;
const chosen = {
  /** The person who acted or benefited. */
  person: Id.optional(),
  kind: z.enum(ACT_KINDS).optional(),
  did: z.enum(STAFF_ACTIONS).optional(),
  /** The first and last day (UTC) of the acts to list. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
};
export const StaffActsQuery = z.object({ ...pageQuery, ...chosen });
export const StaffActsExportQuery = z.object(chosen);
export type StaffActsExportQuery = z.infer<typeof StaffActsExportQuery>;

/** Facts that a restored log lacks and that Stripe, the signed heads or the notes of sent mails show. */
export const MissingFacts = namedObject('MissingFacts', {
  /** The position of the newest event in the log. */
  position: z.int(),
  lastEventAt: IsoTime.nullable(),
  /** Signed heads that contradict the log. Omits heads that a recorded restore explains. */
  heads: z.array(z.object({ hour: z.string(), position: z.int().nullable() })),
  /** The recorded restores, oldest first. */
  restores: z.array(z.object({ at: IsoTime, position: z.int() })),
  /** Invoices that were paid at Stripe and that the log does not have. */
  payments: z.array(
    z.object({
      invoiceId: z.string(),
      customerId: z.string(),
      /** Null if no account matches the customer. */
      userId: Id.nullable(),
      email: z.string().nullable(),
      paidAt: IsoTime,
      usdCents: z.int(),
    }),
  ),
  /** Ids of balance movements at Stripe that the log does not have. */
  movements: z.array(z.string()),
  /** Mails that were sent about events which the log no longer has, oldest first. */
  mails: z.array(
    z.object({
      sentAt: IsoTime,
      /** The type of the event, or `notices` and `weekly` for mails about many events. */
      about: z.string(),
      /**
       * The position that the event had. For a mail about many events, the position of the newest event that the
       * mail can be about.
       */
      position: z.int(),
      userId: Id.nullable(),
      /** Null if the mail went to an address without an account, or if the account no longer exists. */
      email: z.string().nullable(),
    }),
  ),
});
export type MissingFacts = z.infer<typeof MissingFacts>;

/** `missing`: the certificate is evidence of a purchase that the log lacks. */
export const CertificateState = namedObject('CertificateState', {
  state: z.enum(['known', 'missing', 'invalid']),
  reason: z.string(),
});
export type CertificateState = z.infer<typeof CertificateState>;

export const LostPurchaseBody = ReasonBody.extend({ certificate: Certificate.strict() });
