import { queryOptions } from '@tanstack/react-query';
import { query } from './api.js';

/** The visitor's credits; only when signed in. */
export const creditsQuery = queryOptions({
  ...query('GET /api/credits'),
  staleTime: 10_000,
  refetchOnWindowFocus: true,
});

export const plansQuery = queryOptions({
  ...query('GET /api/plans'),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The visitor's plan; only when signed in. */
export const subscriptionQuery = queryOptions({
  ...query('GET /api/subscription'),
});

/** The visitor's latest credit movements, newest first. */
export const ledgerQuery = (limit: number) =>
  queryOptions({
    ...query('GET /api/credits/ledger', { query: { limit } }),
    staleTime: 10_000,
  });

const DECISION_POLL_MS = 10_000;

/** Whether the visitor may publish; only when signed in. */
export const creatorQuery = queryOptions({
  ...query('GET /api/creator'),
  staleTime: 10_000,
  // An open page polls, so that it shows the decision on an application or the end of a suspension.
  refetchInterval: ({ state: { data } }) =>
    data?.status === 'applied' || data?.status === 'suspended' ? DECISION_POLL_MS : false,
});
