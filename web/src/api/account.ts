import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { CreditBalance, CreditLinePage } from '../../../application/credits/contract.js';
import type { CreatorState } from '../../../application/publishing/contract.js';
import type { Plan, Subscription } from '../../../application/subscriptions/contract.js';
import { api } from './http.js';

/** The visitor's credits; only when signed in. */
export const creditsQuery = queryOptions({
  queryKey: ['credits', 'balance'],
  queryFn: ({ signal }) => api.get<z.infer<typeof CreditBalance>>('/api/credits', { signal }),
  staleTime: 10_000,
  refetchOnWindowFocus: true,
});

/** The three plans. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => api.get<{ items: Plan[] }>('/api/plans', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The visitor's plan; only when signed in. */
export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: ({ signal }) => api.get<Subscription>('/api/subscription', { signal }),
});

/** The visitor's latest credit movements, newest first. */
export const ledgerQuery = (limit: number) =>
  queryOptions({
    queryKey: ['credits', 'ledger', limit],
    queryFn: ({ signal }) => api.get<CreditLinePage>('/api/credits/ledger', { query: { limit }, signal }),
    staleTime: 10_000,
  });

/** Whether the visitor may publish; only when signed in. */
export const creatorQuery = queryOptions({
  queryKey: ['creator', 'state'],
  queryFn: ({ signal }) => api.get<CreatorState>('/api/creator', { signal }),
  staleTime: 10_000,
});
