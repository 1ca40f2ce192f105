import * as z from 'zod';
import { IsoTime, page, pageQuery, namedObject } from '../shared/contract.js';

const DAY_MS = 86_400_000;
const isDay = (value: string): boolean => value.length === 10;
const Instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

const From = Instant.transform((value) => new Date(value));
const Before = Instant.transform((value) => new Date(Date.parse(value) + (isDay(value) ? DAY_MS : 0)));
const AsOf = Instant.transform((value) => new Date(Date.parse(value) + (isDay(value) ? DAY_MS - 1 : 0)));

const span = {
  from: From.optional().describe('The first day (UTC) or instant'),
  to: Before.optional().describe('The last day (UTC), or the instant before which it ends'),
};
/** A span of time: from inclusive, to exclusive. Either end may be open. */
export const SpanQuery = z.object(span);
export type Span = z.infer<typeof SpanQuery>;

export const TrialBalanceQuery = z.object({
  asOf: AsOf.optional().describe('The end of a day (UTC), or an instant; now by default'),
  grouped: z
    .enum(['true', 'false'])
    .default('false')
    .describe('One row for all lots and one for all creators; with accounts that have no balance'),
});
export const EventsQuery = z.object({
  ...pageQuery,
  /** The name of a stream, or a category such as `credits-`. */
  stream: z
    .string()
    .max(300)
    .regex(/^[\w:.-]+$/, 'not a stream')
    .optional(),
  type: z.string().max(100).regex(/^\w+$/, 'not a type').optional(),
  /** The list leaves out events before this position or time. */
  from: z.union([z.coerce.number().int().min(0), From]).optional(),
  order: z.enum(['oldest', 'newest']).default('oldest'),
});
export type EventsQuery = z.infer<typeof EventsQuery>;
export const ExportQuery = z.object({ ...span, format: z.enum(['hledger', 'beancount', 'csv', 'json']) });
export type ExportFormat = z.infer<typeof ExportQuery>['format'];

export const BalanceRow = z.object({
  account: z.string(),
  kind: z.enum(['asset', 'liability', 'equity', 'income', 'expense', 'credits']),
  /** The number of accounts in this row. A row such as `deferred:*` counts only accounts with a balance. */
  accounts: z.int(),
  /**
   * The position of the last event that moved an account with a balance in this row. 0 if no account has a
   * balance.
   */
  position: z.int(),
  name: z.string().optional(),
});
export const TrialBalance = namedObject('TrialBalance', {
  asOf: IsoTime,
  position: z.int(),
  accounts: z.array(BalanceRow.extend({ debitMicroUsd: z.int(), creditMicroUsd: z.int() })),
  totals: z.object({ debitMicroUsd: z.int(), creditMicroUsd: z.int() }),
  /** Balances in credits instead of money. One row covers all users. */
  credits: z.object({
    accounts: z.array(BalanceRow.extend({ debitCredits: z.int(), creditCredits: z.int() })),
    totals: z.object({ debitCredits: z.int(), creditCredits: z.int() }),
  }),
  /** Money in other currencies, in millionths; a debit is positive. */
  otherCurrencies: z.array(
    z.object({
      currency: z.string(),
      accounts: z.array(z.object({ account: z.string(), balanceMicro: z.int() })),
    }),
  ),
});
export type TrialBalance = z.infer<typeof TrialBalance>;

export const AuditedEvent = namedObject('AuditedEvent', {
  position: z.int(),
  stream: z.string(),
  version: z.int(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  recordedAt: IsoTime,
  hash: z.string(),
});
export const EventPage = page(AuditedEvent);
export type EventPage = z.infer<typeof EventPage>;

/** An account has dollars, credits or another currency. The figures of other units are 0. */
export const AccountStatement = namedObject('AccountStatement', {
  account: z.string(),
  kind: BalanceRow.shape.kind,
  name: z.string().optional(),
  balanceMicroUsd: z.int(),
  balanceCredits: z.int(),
  /** Only for an account in another currency, such as `eur`. `balanceMicroUsd` and `balanceCredits` are then 0. */
  other: z.object({ currency: z.string(), balanceMicro: z.int() }).optional(),
  entries: z.array(
    z.object({
      position: z.int(),
      at: IsoTime,
      fact: z.string(),
      deltaMicroUsd: z.int(),
      balanceMicroUsd: z.int(),
      deltaCredits: z.int(),
      balanceCredits: z.int(),
      event: AuditedEvent,
    }),
  ),
  nextCursor: z.string().nullable(),
});
export type AccountStatement = z.infer<typeof AccountStatement>;

/** opening + granted − spent + returned − revoked + adjusted = closing, in credits. */
export const Rollforward = namedObject('CreditRollforward', {
  opening: z.int(),
  granted: z.int(),
  spent: z.int(),
  returned: z.int(),
  revoked: z.int(),
  adjusted: z.int(),
  closing: z.int(),
});
export type Rollforward = z.infer<typeof Rollforward>;

/** A month by UTC, such as `2026-10`. */
export const Month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'not a month')
  .meta({ examples: ['2026-10'] });

/** Every month since the first credits, oldest first. Each month opens with the closing balance of the month before. */
export const MonthlyRollforward = namedObject('MonthlyRollforward', {
  items: z.array(Rollforward.extend({ month: z.string() })),
});
export type MonthlyRollforward = z.infer<typeof MonthlyRollforward>;

/** The balances at the end of each month, oldest first; the last month is the current one. */
export const BalancesOverTime = namedObject('BalancesOverTime', {
  items: z.array(
    z.object({
      month: z.string(),
      /** Money at the payment provider, at the bank, between them, and held for disputes. */
      cashMicroUsd: z.int(),
      deferredMicroUsd: z.int(),
      /** Owed to creators, on hold or released. */
      creatorsMicroUsd: z.int(),
    }),
  ),
});
export type BalancesOverTime = z.infer<typeof BalancesOverTime>;

/** Money that is in transit, held by the provider or a bank, owed to a customer, or unexplained; oldest first. */
export const OpenItems = namedObject('OpenItems', {
  items: z.array(
    z.object({
      account: z.string(),
      /** The id of the withdrawal, bank payout, dispute, refund, invoice or movement at the provider. */
      about: z.string(),
      /** Why the item is in suspense, in the reserve or owed to a customer. Empty for other accounts. */
      reason: z.string(),
      since: IsoTime,
      ageDays: z.int(),
      aged: z.boolean(),
      /** Positive for a debit on an asset account or a credit on another account. 0 if `currency` is not `usd`. */
      amountMicroUsd: z.int(),
      /** `usd` or another currency. `amountMicro` has the amount in millionths of this currency. */
      currency: z.string(),
      amountMicro: z.int(),
      note: z.object({ text: z.string(), byName: z.string(), at: IsoTime }).nullable(),
      /** The id of the adjusting entry that will clear the item if it is approved. Null if none was requested. */
      requestId: z.string().nullable(),
      position: z.int(),
    }),
  ),
});
export type OpenItems = z.infer<typeof OpenItems>;

/** Facts that we recorded after their month was sealed or closed, newest first. */
export const LateFacts = page(
  z.object({
    /** The sealed or closed month in which the fact happened. */
    month: z.string(),
    position: z.int(),
    fact: z.string(),
    about: z.string(),
    /** When the fact happened, and when it was posted. */
    at: IsoTime,
    postedAt: IsoTime,
    amountMicroUsd: z.int(),
  }),
)
  .extend({
    counts: z.array(z.object({ month: z.string(), facts: z.int() })),
  })
  .meta({ id: 'LateFacts' });
export type LateFacts = z.infer<typeof LateFacts>;

export const Reconciliation = namedObject('Reconciliation', {
  checkedAt: IsoTime,
  invariants: z.array(
    z.object({ number: z.int(), name: z.string(), holds: z.boolean(), detail: z.string().optional() }),
  ),
  chain: z.object({ verified: z.boolean(), position: z.int(), detail: z.string().optional() }),
  /** The signed heads of the log, which a worker stores in object storage every hour. */
  heads: z.object({
    verified: z.int(),
    newest: z.object({ date: z.iso.date(), signedAt: IsoTime, position: z.int() }).nullable(),
    /** Whether the newest head was signed more than two hours ago. */
    isLate: z.boolean(),
    /** Days (UTC) without a signed head, because no worker ran. */
    missingDays: z.array(z.iso.date()),
    /** Backups that replaced the log, oldest first. Two people recorded each of them. */
    restores: z.array(
      z.object({
        at: IsoTime,
        position: z.int(),
        /**
         * Hours (UTC) whose signed head contradicts the restored log, which lacks their events. Checks ignore these
         * heads.
         */
        heads: z.array(z.string()),
      }),
    ),
  }),
  drift: z.array(z.object({ projection: z.string(), rows: z.int() })),
  /** The first 100 events with characters that the current rules refuse. Reads replace these characters. */
  unreadable: z.array(z.object({ position: z.int(), type: z.string() })),
  proof: z.object({
    /** The signed head from which the check started. Null if the check read the whole log. */
    since: z.object({ position: z.int(), signedAt: IsoTime }).nullable(),
    /** When each part was last checked completely. Null for a part that never was. */
    whole: z.object({
      log: IsoTime.nullable(),
      rules: IsoTime.nullable(),
      readModels: IsoTime.nullable(),
      files: IsoTime.nullable(),
    }),
  }),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

export const BookCheck = namedObject('BookCheck', {
  night: z.iso.date(),
  checkedAt: IsoTime,
  position: z.int(),
  holds: z.boolean(),
  broken: z.array(z.object({ number: z.int(), name: z.string(), detail: z.string() })),
});
export type BookCheck = z.infer<typeof BookCheck>;

export const BalanceProof = namedObject('BalanceProof', {
  userId: z.string(),
  balance: z.int(),
  /** The balance in the read model, which must equal `balance`. */
  shownBalance: z.int(),
  holds: z.boolean(),
  lots: z.array(
    z.object({ lotId: z.string(), kind: z.string(), remainingCredits: z.int(), grantedAt: IsoTime }),
  ),
  events: z.array(AuditedEvent.extend({ delta: z.int(), balanceAfter: z.int() })),
  head: z.object({ position: z.int(), hash: z.string() }),
});
export type BalanceProof = z.infer<typeof BalanceProof>;

export const PeriodSummary = namedObject('ClosedPeriod', {
  month: z.string(),
  lastPosition: z.int(),
  hash: z.string(),
  closedBy: z.string(),
  closedByName: z.string(),
  closedAt: IsoTime,
  /** The second person who signed the closing. Null until the closing is signed. */
  signedBy: z.string().nullable(),
  signedByName: z.string().nullable(),
  signedAt: IsoTime.nullable(),
  /** The sum of all debit balances. The sum of all credit balances is the same. */
  totalDebitMicroUsd: z.int(),
});
export type PeriodSummary = z.infer<typeof PeriodSummary>;
export const ClosedPeriods = z.object({ items: z.array(PeriodSummary) });
export type ClosedPeriods = z.infer<typeof ClosedPeriods>;

/** Present if the amount is in another currency. The amount in dollars is then 0. */
export const Foreign = z.object({ currency: z.string(), amountMicro: z.int() }).optional();

export const StripeTieOut = namedObject('StripeTieOut', {
  matched: z.array(
    z.object({ transactionId: z.string(), position: z.int(), amountMicroUsd: z.int(), foreign: Foreign }),
  ),
  onlyAtStripe: z.array(
    z.object({
      transactionId: z.string(),
      at: IsoTime,
      ageDays: z.int(),
      category: z.string(),
      netMicroUsd: z.int(),
      foreign: Foreign,
      references: z.array(z.string()),
    }),
  ),
  onlyInBooks: z.array(
    z.object({
      position: z.int(),
      at: IsoTime,
      ageDays: z.int(),
      fact: z.string(),
      references: z.array(z.string()),
      amountMicroUsd: z.int(),
      foreign: Foreign,
    }),
  ),
  /** The stored result. Null if the report covers no days, so that its result is not stored. */
  kept: z.object({ id: z.string(), from: IsoTime, to: IsoTime, unexplainedMicroUsd: z.int() }).nullable(),
});
export type StripeTieOut = z.infer<typeof StripeTieOut>;
