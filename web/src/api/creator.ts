import { queryOptions } from '@tanstack/react-query';
import type { OwnPack } from '../../../application/publishing/contract.js';
import { query } from './api.js';
import { invalidate, queryClient } from './query-client.js';

/** The creator's own packs, drafts included. */
export const ownPacksQuery = queryOptions({
  ...query('GET /api/creator/packs', { query: { limit: 100 } }),
  staleTime: 5_000,
});

/** One own pack with its samples. @param idOrSlug the id, or the present slug */
export const ownPackQuery = (idOrSlug: string) =>
  queryOptions({
    ...query('GET /api/creator/packs/:id', { params: { id: idOrSlug } }),
    staleTime: 5_000,
  });

/** The creator's earnings: all, withdrawable and in hold. */
export const creatorBalanceQuery = queryOptions({
  ...query('GET /api/creator/balance'),
  staleTime: 10_000,
});

/** Puts a changed pack before the screens: the editor at once, the grid at its next look. */
export function putOwnPack(pack: OwnPack): void {
  queryClient.setQueryData(ownPackQuery(pack.slug).queryKey, pack);
  void invalidate('GET /api/creator/packs');
}
