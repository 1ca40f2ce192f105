import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { CreatorBalance } from '../../../application/payouts/contract.js';
import type { OwnPack, OwnPackPage } from '../../../application/publishing/contract.js';
import { api } from './http.js';
import { queryClient } from './query-client.js';

/** The creator's own packs, drafts included. */
export const ownPacksQuery = queryOptions({
  queryKey: ['creator', 'packs'],
  queryFn: ({ signal }) =>
    api.get<z.infer<typeof OwnPackPage>>('/api/creator/packs', { query: { limit: 100 }, signal }),
  staleTime: 5_000,
});

/** One own pack with its samples. @param idOrSlug the id, or the present slug */
export const ownPackQuery = (idOrSlug: string) =>
  queryOptions({
    queryKey: ['creator', 'pack', idOrSlug],
    queryFn: ({ signal }) =>
      api.get<OwnPack>(`/api/creator/packs/${encodeURIComponent(idOrSlug)}`, { signal }),
    staleTime: 5_000,
  });

/** What the creator has earned, can withdraw and waits for. */
export const creatorBalanceQuery = queryOptions({
  queryKey: ['creator', 'balance'],
  queryFn: ({ signal }) => api.get<CreatorBalance>('/api/creator/balance', { signal }),
  staleTime: 10_000,
});

/** Puts a changed pack before the screens: the editor at once, the grid at its next look. */
export function putOwnPack(pack: OwnPack): void {
  queryClient.setQueryData(ownPackQuery(pack.slug).queryKey, pack);
  void queryClient.invalidateQueries({ queryKey: ownPacksQuery.queryKey });
}
