import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { CreditBalance } from '../../../application/credits/contract.js';
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
