import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, pages, query } from './api.js';
import type { Answer } from './endpoints.js';
import { sendOnce } from './transport/idempotency-key.js';
import { invalidate } from './query-client.js';

export type CopyItem = Answer<'GET /api/admin/copies'>['items'][number];
export type SuspectedCopy = Answer<'GET /api/admin/copies/:id'>;
export type CopySide = SuspectedCopy['newcomer'];
export type CopyDecision = 'allowed' | 'refused' | 'taken down';

const FRESH_MS = 5_000;
const LIMIT = 100;

/** Open pairs, closest first, or decisions, newest first. */
export const copiesQuery = (state: 'open' | 'decided') =>
  infiniteQueryOptions({
    ...pages('GET /api/admin/copies', { query: { state, limit: LIMIT } }),
    staleTime: FRESH_MS,
    ...(state === 'open' && { refetchInterval: 10_000 }),
  });

export const copyCountsQuery = queryOptions({
  ...query('GET /api/admin/copies/counts'),
  staleTime: FRESH_MS,
  refetchInterval: 10_000,
});

export const copyQuery = (id: string) =>
  queryOptions({ ...query('GET /api/admin/copies/:id', { params: { id } }), staleTime: FRESH_MS });

/** @param decided.reason required unless the decision is a false alarm */
export async function decideOnCopy(
  id: string,
  { decision, reason, andOthers }: { decision: CopyDecision; reason: string; andOthers: boolean },
): Promise<void> {
  const params = { id };
  try {
    await sendOnce(`${decision} copy ${id} ${andOthers} ${reason}`, (idempotencyKey) => {
      if (decision === 'taken down')
        return api('POST /api/admin/copies/:id/take-down', { params, body: { reason }, idempotencyKey });
      const body =
        decision === 'refused'
          ? { decision, reason }
          : { decision, andOthers, ...(reason !== '' && { reason }) };
      return api('POST /api/admin/copies/:id/decide', { params, body, idempotencyKey });
    });
  } finally {
    told();
  }
}

/** Swaps the sides of a pair: the original becomes the newcomer. @returns the new suspicion */
export const swapSides = (id: string, reason: string): Promise<{ id: string }> =>
  sendOnce(`swap copy ${id} ${reason}`, (idempotencyKey) =>
    api('POST /api/admin/copies/:id/swap', { params: { id }, body: { reason }, idempotencyKey }),
  ).finally(told);

function told(): void {
  for (const key of [
    'GET /api/admin/copies',
    'GET /api/admin/copies/counts',
    'GET /api/admin/copies/:id',
  ] as const)
    void invalidate(key);
}
