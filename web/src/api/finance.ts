import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  AccountStatement,
  BookCheckList,
  EventPage,
  Reconciliation,
  Rollforward,
  TrialBalance,
} from '../../../application/finance/contract.js';
import { api } from './http.js';

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

/** Refolds the whole log: asked for once, and again when somebody says so. */
export const reconciliationQuery = queryOptions({
  queryKey: ['finance', 'reconciliation'],
  queryFn: ({ signal }) => api.get<Reconciliation>('/api/finance/reconciliation', { signal }),
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
