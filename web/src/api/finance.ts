import { queryOptions, skipToken } from '@tanstack/react-query';
import type * as z from 'zod';
import { PEOPLE_SEARCH_MIN_LENGTH } from '../../../application/accounts/values.js';
import type { PayClaimBody, Payout } from '../../../application/payouts/contract.js';
import type { AlertCause } from '../../../application/ledger/alert-contract.js';
import type { AdjustingEntryBody, NoteBody } from '../../../application/ledger/closing/closing-contract.js';
import type { PeriodSummary, StripeTieOut } from '../../../application/ledger/contract.js';
import type { AccountMap } from '../../../application/ledger/reports/report-contract.js';
import { api, apiOnce, pages, query, queryKeyOf } from './api.js';
import type { Answer } from './endpoints.js';
import { LONG_ANSWER_LIMIT_MS } from './transport/time-limit.js';
import { invalidate } from './query-client.js';

/** @param asOf an ISO 8601 time or day; empty: now */
export const trialBalanceQuery = (asOf: string, grouped: boolean) =>
  query('GET /api/finance/trial-balance', { query: { asOf, grouped } });

export const rollforwardQuery = (from: string, userId = '') =>
  query('GET /api/finance/credit-rollforward', { query: { from, userId } });

/** Every month since the first credits, for one user or for all users. */
export const monthlyRollforwardQuery = (userId: string) =>
  query('GET /api/finance/credit-rollforward/months', { query: { userId } });

export const balancesOverTimeQuery = query('GET /api/finance/balances-over-time');

/** Additions to and reductions of deferred revenue, by month. */
export const deferredQuery = query('GET /api/finance/reports/deferred');

/** The value of unspent credits by age. @param asOf a day; empty: now */
export const ageingQuery = (asOf: string) => query('GET /api/finance/reports/ageing', { query: { asOf } });

/** Revenue and cost of each plan, by month. */
export const marginQuery = query('GET /api/finance/reports/margin');

/** The value of credits that were paid for and will never be spent. @param asOf a day; empty: now */
export const breakageQuery = (asOf: string) =>
  query('GET /api/finance/reports/breakage', { query: { asOf } });

/** Names of our accounts in another bookkeeping system. */
export const accountMapQuery = query('GET /api/finance/account-map');

export async function changeAccountMap(body: AccountMap): Promise<void> {
  await api('PUT /api/finance/account-map', { body });
  await invalidate('GET /api/finance/account-map');
}

/** Items in transit, held or unexplained. */
export const openItemsQuery = query('GET /api/finance/open-items');

/** Requests a second person's approval for the entry that explains a suspense item. */
export async function clearItem(body: AdjustingEntryBody): Promise<void> {
  try {
    await apiOnce('POST /api/finance/adjusting-entries', { body });
  } finally {
    void invalidate('GET /api/finance/approvals', 'GET /api/finance/open-items');
  }
}

export async function explainItem(body: z.infer<typeof NoteBody>): Promise<void> {
  await api('POST /api/finance/open-items/notes', { body });
  void invalidate('GET /api/finance/open-items');
}

/** Alerts that finance has not seen, by cause and month. */
export const alertCausesQuery = query('GET /api/finance/alerts', { query: { limit: 1 } });

/** The alerts of one cause, oldest first. @param month in which they were raised */
export const alertsOfQuery = (kind: string, month: string) =>
  pages('GET /api/finance/alerts', { query: { kind, month, limit: 50 } });

/** Marks the alerts of a cause as seen, up to the last one that was shown. */
export async function seeCause({ kind, month, lastPosition }: AlertCause): Promise<void> {
  await api('POST /api/finance/alerts/seen', {
    body: { kind, month, lastPosition },
    limitMs: LONG_ANSWER_LIMIT_MS,
  });
  await invalidate('GET /api/finance/alerts');
}

export async function seeAlert(key: string): Promise<void> {
  await api('POST /api/finance/alerts/:key/seen', { params: { key } });
  await invalidate('GET /api/finance/alerts');
}

export const periodsQuery = query('GET /api/finance/periods');

/** Newest first, a page at a time. */
export const lateFactsQuery = pages('GET /api/finance/late-facts', { query: { limit: 100 } });

/** The closing checklist of a month; the request also checks the books. */
export const checklistQuery = (month: string) =>
  queryOptions({
    ...query('GET /api/finance/periods/:month/checklist', {
      params: { month },
      limitMs: LONG_ANSWER_LIMIT_MS,
    }),
    gcTime: 0,
  });

/** Requests a second person's approval to reopen a month. */
export async function reopenPeriod(month: string, reason: string): Promise<void> {
  await apiOnce('POST /api/finance/periods/:month/reopen', { params: { month }, body: { reason } });
  void invalidate('GET /api/finance/approvals');
}

/** Closes a month. Closing it again returns the stored summary. @throws ApiProblem `PeriodNotReady`, `BooksBehind` */
export async function closePeriod(month: string): Promise<PeriodSummary> {
  const period = await api('POST /api/finance/periods/:month/close', {
    params: { month },
    limitMs: LONG_ANSWER_LIMIT_MS,
  });
  await invalidate('GET /api/finance/periods');
  void invalidate('GET /api/finance/late-facts');
  return period;
}

/** People by e-mail address, name, handle or id. @param text trimmed */
export const financePeopleQuery = (text: string) =>
  queryOptions({
    ...query('GET /api/finance/people', { query: { q: text } }),
    enabled: text.length >= PEOPLE_SEARCH_MIN_LENGTH,
  });

export const proofQuery = (userId: string) =>
  queryOptions({
    ...query('GET /api/finance/proof/:userId', { params: { userId } }),
    enabled: userId !== '',
  });

export const creatorAccountsQuery = (search: string) =>
  pages('GET /api/finance/creators', { query: { search, limit: 100 } });

export const creatorAccountQuery = (creatorId: string) =>
  query('GET /api/finance/creators/:creatorId', { params: { creatorId } });

/** Every withdrawal of a creator, newest first. */
export const creatorStatementsQuery = (creatorId: string) =>
  pages('GET /api/finance/creators/:creatorId/statements', {
    params: { creatorId },
    query: { limit: 100 },
  });

export const creatorStatementQuery = (creatorId: string, id: string) =>
  query('GET /api/finance/creators/:creatorId/statements/:id', { params: { creatorId, id } });

export type Trace = Answer<'GET /api/finance/trace/:id'>;
export type TraceCard = Trace['cards'][number];
export type FoundItem = Answer<'GET /api/finance/find'>['items'][number];

/** The origin and use of the money behind an id. @param line of a statement @param after the last use that is shown */
export const traceQuery = (id: string, line: string, after: string) =>
  query('GET /api/finance/trace/:id', {
    params: { id },
    query: { ...(line && { line: Number(line) }), ...(after && { after: Number(after) }) },
  });

/** Everything in the books that matches a text. @param text trimmed */
export const findQuery = (text: string) => query('GET /api/finance/find', { query: { q: text } });

/** Sales that brought more per credit than any plan charges, newest first, in pages. */
export const salesUnderReviewQuery = pages('GET /api/finance/sales-under-review', { query: { limit: 100 } });

/** Requests a second person's approval to let the creator withdraw the share of a sale. */
export async function releaseSale(purchaseId: string, reason: string): Promise<void> {
  await apiOnce('POST /api/finance/sales-under-review/:purchaseId/release', {
    params: { purchaseId },
    body: { reason },
  });
  void invalidate('GET /api/finance/approvals');
  await invalidate('GET /api/finance/sales-under-review');
}

/** Debts to deleted accounts, newest first. */
export const claimsQuery = query('GET /api/finance/claims');

/**
 * Pays the available part of a claim to the person who shows its code. Repeating it after a lost answer pays once.
 */
export async function payClaim(body: z.infer<typeof PayClaimBody>): Promise<Payout> {
  const payout = await apiOnce('POST /api/finance/claims/payouts', { body });
  void invalidate('GET /api/finance/claims');
  return payout;
}

/**
 * Compares Stripe's report with the books, and keeps the result.
 * @param span the days that the report covers in addition to those of its lines; empty: none
 * @throws ApiProblem `ReportUnreadable`, with the place of the error
 */
export async function tieOut(report: Blob, span: { from: string; to: string }): Promise<StripeTieOut> {
  const found = await api('POST /api/finance/stripe-report', {
    query: span,
    // Some systems give CSV files another type, or none.
    body: new Blob([report], { type: 'text/csv' }),
  });
  void invalidate('GET /api/finance/tie-outs');
  return found;
}

/** Reports that were compared with the books, newest first. */
export const tieOutsQuery = query('GET /api/finance/tie-outs');

/** One comparison of a report with the books, with the lines that only one side has. @param id of the report */
export const keptTieOutQuery = (id: string) => query('GET /api/finance/tie-outs/:id', { params: { id } });

/** Our balance as Stripe reports it, beside the balance in the books. */
export const providerBalancesQuery = query('GET /api/finance/provider-balances');

/** The comparison of a report, with the name of its file. */
export interface NamedTieOut extends StripeTieOut {
  name: string;
  at: string;
}

/** The last comparison; cached, so that it is still there after a visit to the page of an event. */
export const tieOutQuery = queryOptions<NamedTieOut>({
  queryKey: queryKeyOf('POST /api/finance/stripe-report'),
  queryFn: skipToken,
});

/** Adds up the books; fetched once, then only on demand. */
export const reconciliationQuery = query('GET /api/finance/reconciliation', {
  limitMs: LONG_ANSWER_LIMIT_MS,
});

/** Findings of the nightly checks, newest first. */
export const bookChecksQuery = query('GET /api/finance/checks');

export const statementQuery = (account: string) =>
  pages('GET /api/finance/accounts/:account', {
    params: { account },
    query: { limit: 100, order: 'newest' },
  });

export interface EventFilter {
  stream: string;
  type: string;
  from: string;
}

/** Newest first, or oldest first from a position or time. */
export const eventsQuery = (filter: EventFilter) =>
  pages('GET /api/finance/events', {
    query: { ...filter, order: filter.from ? 'oldest' : 'newest', limit: 100 },
  });
