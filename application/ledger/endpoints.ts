import * as z from 'zod';
import { WaitingAnswer } from '../approvals/contract.js';
import { exactText, Id, namedObject, pageQuery, ReasonBody, soughtText } from '../shared/contract.js';
import { endpointsOf, rawBody, sent, text } from '../shared/endpoint.js';
import * as contract from './contract.js';
import { AdjustingEntryBody, ChecklistItem, NoteBody } from './closing/closing-contract.js';
import { FoundItem, Trace, TraceId, TraceQuery } from './trace/trace-contract.js';
import { AlertKey, AlertList, AlertsQuery, SeenCause } from './alert-contract.js';
import { EXPORT_TYPES } from './export.js';
import { FIND_MAX_LENGTH, FIND_MIN_LENGTH, REPORT_LIMIT_BYTES } from './values.js';

const finance = endpointsOf({ tag: 'Finance', access: 'finance' });

const AccountName = z
  .string()
  .max(200)
  .regex(/^[\w:.-]+$/, 'not an account');

export const readTrialBalance = finance('GET /api/finance/trial-balance', {
  summary: 'Lists the balance of every account at a time',
  query: contract.TrialBalanceQuery,
  answers: { 200: contract.TrialBalance },
});

export const readAccount = finance('GET /api/finance/accounts/:account', {
  summary: 'Lists the entries of an account, line by line',
  params: { account: AccountName },
  query: contract.SpanQuery.extend({ ...pageQuery, order: z.enum(['oldest', 'newest']).default('oldest') }),
  answers: { 200: contract.AccountStatement },
  problems: ['NotFound'],
});

export const readRollforward = finance('GET /api/finance/credit-rollforward', {
  summary: 'Returns how credits came and went in a span of time',
  query: contract.SpanQuery.extend({ userId: Id.optional() }),
  answers: { 200: contract.Rollforward },
});

export const listRollforwardMonths = finance('GET /api/finance/credit-rollforward/months', {
  summary: 'Lists how credits came and went, month by month',
  query: z.object({ userId: Id.optional() }),
  answers: { 200: contract.MonthlyRollforward },
});

export const listBalancesOverTime = finance('GET /api/finance/balances-over-time', {
  summary: 'Returns the main balances at the end of each month',
  answers: { 200: contract.BalancesOverTime },
});

export const listOpenItems = finance('GET /api/finance/open-items', {
  summary: 'Lists what is in transit, held or unexplained',
  answers: { 200: contract.OpenItems },
});

export const listLateFacts = finance('GET /api/finance/late-facts', {
  summary: 'Lists late facts, newest first',
  query: z.object(pageQuery),
  answers: { 200: contract.LateFacts },
});

export const listEvents = finance('GET /api/finance/events', {
  summary: 'Lists events of the log, filtered',
  query: contract.EventsQuery,
  answers: { 200: contract.EventPage },
});

export const proveBalance = finance('GET /api/finance/proof/:userId', {
  summary: "Recomputes a user's credits from the log",
  params: { userId: Id },
  answers: { 200: contract.BalanceProof },
  problems: ['NotFound'],
});

export const reconcile = finance('GET /api/finance/reconciliation', {
  summary:
    'Checks whether the books hold every rule, going on from the last signed head up to which they did',
  answers: { 200: contract.Reconciliation },
});

export const listChecks = finance('GET /api/finance/checks', {
  summary: 'Lists the results of the nightly checks, newest first',
  answers: { 200: z.object({ items: z.array(contract.BookCheck) }) },
});

const Report = exactText().min(1).max(REPORT_LIMIT_BYTES);
export const tieOutStripe = finance('POST /api/finance/stripe-report', {
  summary: "Holds a report of the payment provider's balance against the books, and keeps what comes of it",
  query: contract.SpanQuery,
  body: rawBody(
    ['csv', 'json'],
    REPORT_LIMIT_BYTES,
    z.union([Report, z.object({ csv: Report }).transform(({ csv }) => csv)]),
  ),
  answers: { 200: contract.StripeTieOut },
  problems: ['ReportUnreadable'],
});

export const listPeriods = finance('GET /api/finance/periods', {
  summary: 'Lists the months that are closed',
  answers: { 200: contract.ClosedPeriods },
});

export const closePeriod = finance('POST /api/finance/periods/:month/close', {
  freshSignIn: true,
  summary: 'Closes a month: 201 if it closes now, 200 if it was already closed',
  params: { month: contract.Month },
  answers: { 200: contract.PeriodSummary, 201: contract.PeriodSummary },
  status: 201,
  problems: [
    'PeriodNotOver',
    'PeriodBeforeBooks',
    'PeriodOutOfOrder',
    'BooksBroken',
    'PeriodNotReady',
    'PeriodIsOpen',
    'BooksBehind',
  ],
});

export const signPeriod = finance('POST /api/finance/periods/:month/sign', {
  freshSignIn: true,
  summary: 'Signs a closed month, as a person who did not close it',
  params: { month: contract.Month },
  answers: { 200: contract.PeriodSummary },
  status: 200,
  problems: ['PeriodIsOpen', 'SecondPersonNeeded'],
});

export const exportClosePackage = finance('GET /api/finance/periods/:month/package', {
  freshSignIn: true,
  summary:
    'Exports everything to file for a closed month, as a ZIP: statements, balances, open items, tie-out and rules',
  params: { month: contract.Month },
  answers: { 200: sent('application/zip') },
  problems: ['PeriodIsOpen'],
});

export const exportJournal = finance('GET /api/finance/export', {
  freshSignIn: true,
  summary: 'Exports the journal as a file',
  query: contract.ExportQuery,
  answers: { 200: text(...new Set(Object.values(EXPORT_TYPES).map(({ contentType }) => contentType))) },
});

export const listAlerts = finance('GET /api/finance/alerts', {
  summary: 'Lists unseen alerts about money',
  query: AlertsQuery,
  answers: { 200: AlertList },
});

export const seeCause = finance('POST /api/finance/alerts/seen', {
  summary: 'Takes all alerts of a kind and month from the list, up to the newest one that was shown',
  body: SeenCause,
  answers: { 204: null },
  problems: ['NotFound'],
});

export const seeAlert = finance('POST /api/finance/alerts/:key/seen', {
  summary: 'Marks an alert as seen',
  params: { key: AlertKey },
  answers: { 204: null },
  problems: ['NotFound'],
});

export const requestAdjustingEntry = finance('POST /api/finance/adjusting-entries', {
  summary: 'Requests an adjusting entry; a second person must approve',
  body: AdjustingEntryBody,
  answers: { 202: WaitingAnswer },
  problems: [
    'NotFound',
    'NotAdjustable',
    'WrongDirection',
    'MoreThanOpen',
    'PeriodNotOver',
    'PeriodBeforeBooks',
    'PeriodIsClosed',
    'OwnInterest',
  ],
  idempotent: true,
  freshSignIn: true,
});

export const explainItem = finance('POST /api/finance/open-items/notes', {
  summary: 'Notes what an item in suspense is, while it stays there',
  body: NoteBody,
  answers: { 204: null },
  problems: ['NotFound'],
});

export const readChecklist = finance('GET /api/finance/periods/:month/checklist', {
  summary: 'Checks the conditions for closing a month',
  params: { month: contract.Month },
  answers: {
    200: namedObject('ClosingChecklist', {
      month: z.string(),
      ready: z.boolean(),
      items: z.array(ChecklistItem),
    }),
  },
});

export const requestReopening = finance('POST /api/finance/periods/:month/reopen', {
  summary: 'Requests to reopen the month that was closed last',
  params: { month: contract.Month },
  body: ReasonBody,
  answers: { 202: WaitingAnswer },
  problems: ['PeriodIsOpen', 'PeriodNotNewest', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const findInBooks = finance('GET /api/finance/find', {
  summary: 'Finds what the books have under an id, a position, a name, an e-mail, an amount or a day',
  query: z.object({ q: soughtText(FIND_MAX_LENGTH).trim().min(FIND_MIN_LENGTH) }),
  answers: { 200: z.object({ items: z.array(FoundItem) }) },
});

export const traceMoney = finance('GET /api/finance/trace/:id', {
  summary:
    'Traces the way that money took, from a movement at Stripe to the line of a payout, and how each amount came about',
  params: { id: TraceId },
  query: TraceQuery,
  answers: { 200: Trace },
  problems: ['NotFound'],
});
