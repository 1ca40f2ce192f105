import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { PeopleAnswer } from '../../../application/administration/contract.js';
import type {
  CreatorAccountByState,
  CreatorAccounts,
  PayClaimBody,
  Payout,
  PayoutClaims,
  Statement,
  Statements,
} from '../../../application/payouts/contract.js';
import type {
  AccountStatement,
  BalanceProof,
  BalancesOverTime,
  BookCheckList,
  ClosedPeriods,
  EventPage,
  LateFacts,
  MonthlyRollforward,
  OpenItems,
  PeriodSummary,
  Reconciliation,
  Rollforward,
  StripeTieOut,
  TrialBalance,
} from '../../../application/ledger/contract.js';
import { api } from './http.js';
import { sendOnce } from './idempotency-key.js';
import { LONG_ANSWER_LIMIT_MS } from './time-limit.js';
import { queryClient } from './query-client.js';

/** @param asOf an ISO 8601 time or day; empty: now */
export const trialBalanceQuery = (asOf: string, grouped: boolean) =>
  queryOptions({
    queryKey: ['finance', 'trial-balance', asOf, grouped],
    queryFn: ({ signal }) =>
      api.get<TrialBalance>('/api/finance/trial-balance', { query: { asOf, grouped }, signal }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });

export const rollforwardQuery = (from: string, userId = '') =>
  queryOptions({
    queryKey: ['finance', 'rollforward', from, userId],
    queryFn: ({ signal }) =>
      api.get<Rollforward>('/api/finance/credit-rollforward', { query: { from, userId }, signal }),
    staleTime: 10_000,
  });

/** Every month since the first credits; of one user, or of everybody. */
export const monthlyRollforwardQuery = (userId: string) =>
  queryOptions({
    queryKey: ['finance', 'rollforward', 'months', userId],
    queryFn: ({ signal }) =>
      api.get<MonthlyRollforward>('/api/finance/credit-rollforward/months', { query: { userId }, signal }),
    staleTime: 10_000,
  });

export const balancesOverTimeQuery = queryOptions({
  queryKey: ['finance', 'balances-over-time'],
  queryFn: ({ signal }) => api.get<BalancesOverTime>('/api/finance/balances-over-time', { signal }),
  staleTime: 10_000,
});

/** What is in transit, held or unexplained. */
export const openItemsQuery = queryOptions({
  queryKey: ['finance', 'open-items'],
  queryFn: ({ signal }) => api.get<OpenItems>('/api/finance/open-items', { signal }),
  staleTime: 10_000,
});

export const periodsQuery = queryOptions({
  queryKey: ['finance', 'periods'],
  queryFn: ({ signal }) => api.get<ClosedPeriods>('/api/finance/periods', { signal }),
  staleTime: 10_000,
});

/** Newest first, a page at a time. */
export const lateFactsQuery = infiniteQueryOptions({
  queryKey: ['finance', 'late-facts'],
  queryFn: ({ signal, pageParam }) =>
    api.get<LateFacts>('/api/finance/late-facts', { query: { limit: 100, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  staleTime: 10_000,
});

/** Closing a month again answers what was stored. @throws ApiProblem `PeriodNotOver`, `BooksBehind` */
export async function closePeriod(month: string): Promise<PeriodSummary> {
  const path = `/api/finance/periods/${encodeURIComponent(month)}/close`;
  const period = await api.post<PeriodSummary>(path, {}, { limitMs: LONG_ANSWER_LIMIT_MS });
  await queryClient.invalidateQueries({ queryKey: ['finance', 'periods'] });
  void queryClient.invalidateQueries({ queryKey: ['finance', 'late-facts'] });
  return period;
}

/** The contract refuses fewer letters. */
export const SHORTEST_SEARCH = 2;

/** People by e-mail address, name, handle or id. @param text trimmed */
export const financePeopleQuery = (text: string) =>
  queryOptions({
    queryKey: ['finance', 'people', text],
    queryFn: ({ signal }) => api.get<PeopleAnswer>('/api/finance/people', { query: { q: text }, signal }),
    staleTime: 30_000,
    enabled: text.length >= SHORTEST_SEARCH,
  });

export const proofQuery = (userId: string) =>
  queryOptions({
    queryKey: ['finance', 'proof', userId],
    queryFn: ({ signal }) =>
      api.get<BalanceProof>(`/api/finance/proof/${encodeURIComponent(userId)}`, { signal }),
    staleTime: 5_000,
    enabled: userId !== '',
  });

export const creatorAccountsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['finance', 'creators', 'list', search],
    queryFn: ({ signal, pageParam }) =>
      api.get<CreatorAccounts>('/api/finance/creators', {
        query: { search, limit: 50, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });

const creatorPath = (creatorId: string) => `/api/finance/creators/${encodeURIComponent(creatorId)}`;

export const creatorAccountQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['finance', 'creators', creatorId],
    queryFn: ({ signal }) => api.get<CreatorAccountByState>(creatorPath(creatorId), { signal }),
    staleTime: 10_000,
  });

/** Every withdrawal of a creator, newest first. */
export const creatorStatementsQuery = (creatorId: string) =>
  infiniteQueryOptions({
    queryKey: ['finance', 'creators', creatorId, 'statements'],
    queryFn: ({ signal, pageParam }) =>
      api.get<Statements>(`${creatorPath(creatorId)}/statements`, {
        query: { limit: 100, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 10_000,
  });

export const creatorStatementQuery = (creatorId: string, id: string) =>
  queryOptions({
    queryKey: ['finance', 'creators', creatorId, 'statements', id],
    queryFn: ({ signal }) =>
      api.get<Statement>(`${creatorPath(creatorId)}/statements/${encodeURIComponent(id)}`, { signal }),
    staleTime: 60_000,
  });

/** What deleted accounts are owed, newest first. */
export const claimsQuery = queryOptions({
  queryKey: ['finance', 'claims'],
  queryFn: ({ signal }) => api.get<PayoutClaims>('/api/finance/claims', { signal }),
  staleTime: 10_000,
});

/** Pays what is available of a claim to who shows its code. Repeating it after a lost answer pays once. */
export async function payClaim(body: z.infer<typeof PayClaimBody>): Promise<Payout> {
  const payout = await sendOnce(`claim ${body.userId} ${body.code}`, (idempotencyKey) =>
    api.post<Payout>('/api/finance/claims/payouts', body, { idempotencyKey }),
  );
  void queryClient.invalidateQueries(claimsQuery);
  return payout;
}

/** Holds Stripe's report against the books. @throws ApiProblem `ReportUnreadable`, which says where */
export const tieOut = (report: Blob): Promise<StripeTieOut> =>
  // Some systems name CSV otherwise, or not at all.
  api.post<StripeTieOut>('/api/finance/stripe-report', new Blob([report], { type: 'text/csv' }));

/** Refolds the whole log: asked for once, and again when somebody says so. */
export const reconciliationQuery = queryOptions({
  queryKey: ['finance', 'reconciliation'],
  queryFn: ({ signal }) =>
    api.get<Reconciliation>('/api/finance/reconciliation', { signal, limitMs: LONG_ANSWER_LIMIT_MS }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What each night's check found, newest first. */
export const bookChecksQuery = queryOptions({
  queryKey: ['finance', 'checks'],
  queryFn: ({ signal }) => api.get<BookCheckList>('/api/finance/checks', { signal }),
  staleTime: 60_000,
});

export const statementQuery = (account: string) =>
  infiniteQueryOptions({
    queryKey: ['finance', 'account', account],
    queryFn: ({ signal, pageParam }) =>
      api.get<AccountStatement>(`/api/finance/accounts/${encodeURIComponent(account)}`, {
        query: { limit: 100, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 10_000,
  });

export interface EventFilter {
  stream: string;
  type: string;
  from: string;
}

/** Newest first, except from a position or a time on. */
export const eventsQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['finance', 'events', filter],
    queryFn: ({ signal, pageParam }) =>
      api.get<EventPage>('/api/finance/events', {
        query: { ...filter, order: filter.from ? 'oldest' : 'newest', limit: 50, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 5_000,
  });
