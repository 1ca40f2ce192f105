import type { SalesPeriod } from '../../../application/payouts/contract.js';
import type { OwnPack } from '../../../application/publishing/contract.js';
import { api, pages, query } from './api.js';
import { invalidate, queryClient } from './query-client.js';

/** Drafts included. */
export const ownPacksQuery = query('GET /api/creator/packs', { query: { limit: 100 } });

/** One own pack with its samples. @param idOrSlug the id, or the current slug */
export const ownPackQuery = (idOrSlug: string) =>
  query('GET /api/creator/packs/:id', { params: { id: idOrSlug } });

/** Caches a changed pack: the editor shows it at once, the grid after its next request. */
export function putOwnPack(pack: OwnPack): void {
  queryClient.setQueryData(ownPackQuery(pack.slug).queryKey, pack);
  void invalidate('GET /api/creator/packs');
}

/** Sales of a period, day by day. */
export const salesQuery = (period: SalesPeriod) =>
  query('GET /api/creator/sales', { query: { period, limit: 1 } });

/** Every sale, newest first. */
export const salesListQuery = pages('GET /api/creator/sales', { query: { limit: 50 } });

/** Stores a picture of the visitor. @returns its address */
export async function uploadAvatar(
  file: File,
  key: 'PUT /api/me/avatar' | 'PUT /api/creator/avatar',
): Promise<string> {
  const body = new FormData();
  body.append('image', file);
  const { avatarUrl } = await api(key, { body });
  void invalidate('GET /api/creator/profile', 'GET /api/creators/:handle');
  return avatarUrl;
}
