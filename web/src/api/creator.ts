import { queryOptions } from '@tanstack/react-query';
import type { OwnPack } from '../../../application/publishing/contract.js';
import { query } from './api.js';
import { invalidate, queryClient } from './query-client.js';

/** The creator's own packs, drafts included. */
export const ownPacksQuery = queryOptions({
  ...query('GET /api/creator/packs', { query: { limit: 100 } }),
  staleTime: 5_000,
});

/** One own pack with its samples. @param idOrSlug the id, or the current slug */
export const ownPackQuery = (idOrSlug: string) =>
  queryOptions({
    ...query('GET /api/creator/packs/:id', { params: { id: idOrSlug } }),
    staleTime: 5_000,
  });

/** The creator's earnings: total, available and held. */
export const creatorBalanceQuery = queryOptions({
  ...query('GET /api/creator/balance'),
  staleTime: 10_000,
});

/** Caches a changed pack: the editor shows it at once, the grid after its next request. */
export function putOwnPack(pack: OwnPack): void {
  queryClient.setQueryData(ownPackQuery(pack.slug).queryKey, pack);
  void invalidate('GET /api/creator/packs');
}
