import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SalesPeriod } from '../../../application/payouts/contract.js';
import { pages, query } from './api.js';

/** The last 30 days of the person signed in; all zero without sales. */
export const dashboardQuery = queryOptions({
  ...query('GET /api/creator/dashboard'),
  staleTime: 10_000,
});

/** Sales of a period, day by day. */
export const salesQuery = (period: SalesPeriod) =>
  queryOptions({
    ...query('GET /api/creator/sales', { query: { period, limit: 1 } }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });

/** Every sale, newest first. */
export const salesListQuery = infiniteQueryOptions({
  ...pages('GET /api/creator/sales', { query: { limit: 50 } }),
  staleTime: 10_000,
});
