import './staff-caching.js';
import { queryOptions, skipToken } from '@tanstack/react-query';
import type * as z from 'zod';
import { PEOPLE_SEARCH_MIN_LENGTH, NAMES_AT_ONCE } from '../../../application/accounts/values.js';
import type { PayClaimBody } from '../../../application/payouts/contract.js';
import type { AlertCause } from '../../../application/ledger/alert-contract.js';
import type { AdjustingEntryBody, NoteBody } from '../../../application/ledger/closing/closing-contract.js';
import type { PeriodSummary, StripeTieOut } from '../../../application/ledger/contract.js';
import type { MaterialityBody } from '../../../application/ledger/tie-outs/tie-out-contract.js';
import type { AccountMap } from '../../../application/ledger/reports/report-contract.js';
import { daysOf } from '../staff/dates.js';
import type { VatRateBody } from '../../../application/ledger/tax/tax-contract.js';
import { api, apiOnce, pages, query, queryKeyOf } from './api.js';
import type { Answer } from './endpoints.js';
import { invalidate, outdating } from './query-client.js';
import { LONG_ANSWER_LIMIT_MS } from './transport/time-limit.js';

/** @param asOf an ISO 8601 time or day; empty: now */
export const trialBalanceQuery = (asOf: string, grouped: boolean) =>
  query('GET /api/finance/trial-balance', { query: { asOf, grouped } });

export const rollforwardQuery = (from: string, userId = '') =>
  query('GET /api/finance/credit-rollforward', { query: { from, userId } });

/** The credit roll-forward of every month since the first credits. @param userId empty for all users */
export const monthlyRollforwardQuery = (userId: string) =>
  query('GET /api/finance/credit-rollforward/months', { query: { userId } });

/** The value of unspent credits by age. @param asOf a day; empty: now */
export const ageingQuery = (asOf: string) => query('GET /api/finance/reports/ageing', { query: { asOf } });

export async function changeAccountMap(body: AccountMap): Promise<void> {
  await api('PUT /api/finance/account-map', { body });
  await invalidate('GET /api/finance/account-map');
}

export const clearItem = (body: AdjustingEntryBody) =>
  apiOnce('POST /api/finance/adjusting-entries', { body }).finally(
    () => void invalidate('GET /api/finance/approvals', 'GET /api/finance/open-items'),
  );

export const explainItem = (body: z.infer<typeof NoteBody>) =>
  outdating(api('POST /api/finance/open-items/notes', { body }), 'GET /api/finance/open-items');

/** Alerts that finance has not marked as seen, grouped by cause and month. */
export const alertCausesQuery = query('GET /api/finance/alerts', { query: { limit: 1 } });

/** The alerts of one cause, oldest first. @param month the month in which the alerts were raised */
export const alertsOfQuery = (kind: string, month: string) =>
  pages('GET /api/finance/alerts', { query: { kind, month, limit: 50 } });

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

export const reopenPeriod = (month: string, reason: string) =>
  outdating(
    apiOnce('POST /api/finance/periods/:month/reopen', { params: { month }, body: { reason } }),
    'GET /api/finance/approvals',
  );

export const setVatRate = (quarter: string, body: z.infer<typeof VatRateBody>) =>
  outdating(
    api('PUT /api/finance/vat/:quarter/rate', { params: { quarter }, body }),
    'GET /api/finance/vat/:quarter',
  );

export const setMateriality = (body: z.infer<typeof MaterialityBody>) =>
  outdating(api('PUT /api/finance/materiality', { body }), 'GET /api/finance/materiality');

/** Signs a closed month. @throws ApiProblem `SecondPersonNeeded` if the same person closed it */
export const signPeriod = (month: string) =>
  outdating(api('POST /api/finance/periods/:month/sign', { params: { month } }), 'GET /api/finance/periods');

/** Closes a month. Closing it again returns the stored summary. @throws ApiProblem if the month cannot be closed */
export async function closePeriod(month: string): Promise<PeriodSummary> {
  const period = await api('POST /api/finance/periods/:month/close', {
    params: { month },
    limitMs: LONG_ANSWER_LIMIT_MS,
  });
  await invalidate('GET /api/finance/periods');
  void invalidate('GET /api/finance/late-facts');
  return period;
}

/** Finds people by e-mail address, name, handle or id. `useQuery` skips it if `text`, which is trimmed, is too short. */
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

/**
 * Where money came from and how it was used.
 * @param id the id of a payment, sale, payout or event
 * @param line the number of a line in a payout's statement; empty for the whole payout
 * @param after the position of the last use that is shown, to load more; empty for the first uses
 */
export const traceQuery = (id: string, line: string, after: string) =>
  query('GET /api/finance/trace/:id', {
    params: { id },
    query: { ...(line && { line: Number(line) }), ...(after && { after: Number(after) }) },
  });

/** Sales that brought more per credit than the highest price of a credit in any product; newest first, in pages. */
export const salesUnderReviewQuery = pages('GET /api/finance/sales-under-review', { query: { limit: 100 } });

/** Requests a second person's approval to let the creator withdraw the share of a sale. */
export async function releaseSale(purchaseId: string, reason: string): Promise<void> {
  const input = { params: { purchaseId }, body: { reason } };
  await apiOnce('POST /api/finance/sales-under-review/:purchaseId/release', input);
  void invalidate('GET /api/finance/approvals');
  await invalidate('GET /api/finance/sales-under-review');
}

/** Pays the available part of a claim to the person who shows its code. */
export const payClaim = (body: z.infer<typeof PayClaimBody>) =>
  outdating(apiOnce('POST /api/finance/claims/payouts', { body }), 'GET /api/finance/claims');

/** Compares Stripe's report with the books. @param span the days of the report @throws `ReportUnreadable` */
export const tieOut = (report: Blob, span: { from: string; to: string }): Promise<StripeTieOut> => {
  // Sets the media type, because some systems give CSV files another one, or none.
  const body = new Blob([report], { type: 'text/csv' });
  return outdating(
    api('POST /api/finance/stripe-report', { query: span, body }),
    'GET /api/finance/tie-outs',
  );
};

/** A stored comparison of Stripe's report with the books. @param id the id of the report */
export const keptTieOutQuery = (id: string) => query('GET /api/finance/tie-outs/:id', { params: { id } });

export interface NamedTieOut extends StripeTieOut {
  name: string;
  at: string;
}

/**
 * The last comparison of Stripe's report with the books. The cache keeps it while the user visits the page of an
 * event.
 */
export const tieOutQuery = queryOptions<NamedTieOut>({
  queryKey: queryKeyOf('POST /api/finance/stripe-report'),
  queryFn: skipToken,
});

export const reconciliationQuery = query('GET /api/finance/reconciliation', {
  limitMs: LONG_ANSWER_LIMIT_MS,
});

/** @param month limits the entries to this month; empty for all entries */
export const statementQuery = (account: string, month: string) =>
  pages('GET /api/finance/accounts/:account', {
    params: { account },
    query: { limit: 100, order: 'newest', ...(month && daysOf(month)) },
  });

export const statementOfMonthQuery = (month: string) =>
  query('GET /api/finance/reports/statement', { query: { month } });

/** Events, newest first; if `from` is a position or a time, oldest first from there. */
export const eventsQuery = (filter: { stream: string; type: string; from: string }) =>
  pages('GET /api/finance/events', {
    query: { ...filter, order: filter.from ? 'oldest' : 'newest', limit: 100 },
  });

/** Facts that the log lacks after a restore. @param since the day of the restored backup */
export const missingFactsQuery = (since: string) =>
  query('GET /api/finance/missing-facts', { query: { since: `${since}T00:00:00Z` } });

interface Asked {
  id: string;
  resolve: (name: string | null) => void;
  reject: (reason: unknown) => void;
}
let waiting: Asked[] = [];

function ask(): void {
  const asked = waiting;
  waiting = [];
  for (let at = 0; at < asked.length; at += NAMES_AT_ONCE) {
    const some = asked.slice(at, at + NAMES_AT_ONCE);
    const ids = some.map(({ id }) => id).join(',');
    api('GET /api/finance/names', { query: { ids } }).then(
      ({ items }) => {
        const names = new Map(items.map(({ id, name }) => [id, name]));
        for (const { id, resolve } of some) resolve(names.get(id) ?? null);
      },
      (error: unknown) => some.forEach(({ reject }) => reject(error)),
    );
  }
}

/** The name of the person with this id; null if the id belongs to no person. */
export const nameQuery = (id: string) =>
  queryOptions({
    queryKey: ['what people are called', id],
    queryFn: () =>
      new Promise<string | null>((resolve, reject) => {
        if (waiting.push({ id, resolve, reject }) === 1) setTimeout(ask);
      }),
    staleTime: 300_000,
  });
