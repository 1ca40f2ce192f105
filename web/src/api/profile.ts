import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OwnProfile, ProfileBody } from '../../../application/profiles/contract.js';
import { api, query } from './api.js';
import { invalidate, queryClient } from './query-client.js';

/** The visitor's public page; only when signed in. */
export const ownProfileQuery = queryOptions({
  ...query('GET /api/creator/profile'),
  // A form shows it, so it must not change while the visitor types.
  refetchOnWindowFocus: false,
});

/** The visitor's samples that can be featured, newest first. @param text part of their title or pack */
export const featuredCandidatesQuery = (text: string) =>
  queryOptions({
    ...query('GET /api/creator/featured-candidates', { query: { q: text || undefined } }),
    placeholderData: keepPreviousData,
  });

/** Saves the profile; open public pages show it after their next request. */
export async function saveProfile(body: ProfileBody): Promise<OwnProfile> {
  const profile = await api('PUT /api/creator/profile', { body });
  queryClient.setQueryData(ownProfileQuery.queryKey, profile);
  void invalidate('GET /api/creators/:handle', 'GET /api/creator');
  return profile;
}

/**
 * Stores a picture of the visitor, shown in the shop or beside a creator's packs.
 * @returns the address of the new picture
 */
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
