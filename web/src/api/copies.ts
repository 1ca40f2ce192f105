import './staff-caching.js';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { apiOnce, pages } from './api.js';
import type { Answer } from './endpoints.js';
import { invalidate } from './query-client.js';

export type CopyItem = Answer<'GET /api/admin/copies'>['items'][number];
export type SuspectedCopy = Answer<'GET /api/admin/copies/:id'>;
export type CopySide = SuspectedCopy['newcomer'];
export type CopyDecision = 'allowed' | 'refused' | 'taken down';

/** Suspected copies: open pairs, most similar first, or decided pairs, newest first. */
export const copiesQuery = (state: 'open' | 'decided') =>
  infiniteQueryOptions({
    ...pages('GET /api/admin/copies', { query: { state, limit: 100 } }),
    ...(state === 'open' && { refetchInterval: 10_000 }),
  });

/** @param decided.reason required for the decisions `refused` and `taken down` */
export async function decideOnCopy(
  id: string,
  { decision, reason, andOthers }: { decision: CopyDecision; reason: string; andOthers: boolean },
): Promise<void> {
  const params = { id };
  try {
    if (decision === 'taken down')
      await apiOnce('POST /api/admin/copies/:id/take-down', { params, body: { reason } });
    else {
      const body =
        decision === 'refused'
          ? { decision, reason }
          : { decision, andOthers, ...(reason !== '' && { reason }) };
      await apiOnce('POST /api/admin/copies/:id/decide', { params, body });
    }
  } finally {
    changed();
  }
}

export const swapSides = (id: string, reason: string): Promise<{ id: string }> =>
  apiOnce('POST /api/admin/copies/:id/swap', { params: { id }, body: { reason } }).finally(changed);

const changed = () =>
  void invalidate('GET /api/admin/copies', 'GET /api/admin/copies/counts', 'GET /api/admin/copies/:id');
