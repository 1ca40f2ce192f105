import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CreatorDashboard, Sales, SalesPeriod } from '../../../application/payouts/contract.js';
import { api } from './http.js';

/** The last 30 days of whoever is signed in; without sales all zero. */
export const dashboardQuery = queryOptions({
  queryKey: ['creator', 'dashboard'],
  queryFn: ({ signal }) => api.get<CreatorDashboard>('/api/creator/dashboard', { signal }),
  staleTime: 10_000,
});

/** One day after another over a period. */
export const salesQuery = (period: SalesPeriod) =>
  queryOptions({
    queryKey: ['creator', 'sales', 'points', period],
    queryFn: ({ signal }) => api.get<Sales>('/api/creator/sales', { query: { period, limit: 1 }, signal }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });

/** Every sale, newest first. */
export const salesListQuery = infiniteQueryOptions({
  queryKey: ['creator', 'sales', 'list'],
  queryFn: ({ pageParam, signal }) =>
    api.get<Sales>('/api/creator/sales', { query: { limit: 50, cursor: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  staleTime: 10_000,
});
