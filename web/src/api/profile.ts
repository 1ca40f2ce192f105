import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { AvatarAnswer } from '../../../application/accounts/contract.js';
import type { FeaturedCandidates, OwnProfile, ProfileBody } from '../../../application/profiles/contract.js';
import { api } from './http.js';
import { queryClient } from './query-client.js';

/** What the visitor's public page says of them; only when signed in. */
export const ownProfileQuery = queryOptions({
  queryKey: ['creator', 'profile'],
  queryFn: ({ signal }) => api.get<OwnProfile>('/api/creator/profile', { signal }),
  // A form stands on it: nothing may change under the visitor's hands.
  refetchOnWindowFocus: false,
});

/** The visitor's samples that can be featured, newest first. */
export const featuredCandidatesQuery = queryOptions({
  queryKey: ['creator', 'featured-candidates'],
  queryFn: ({ signal }) => api.get<FeaturedCandidates>('/api/creator/featured-candidates', { signal }),
});

/** Saves the profile; public pages that are open show it at their next look. */
export async function saveProfile(body: ProfileBody): Promise<OwnProfile> {
  const profile = await api.put<OwnProfile>('/api/creator/profile', body);
  queryClient.setQueryData(ownProfileQuery.queryKey, profile);
  void queryClient.invalidateQueries({ queryKey: ['catalogue', 'creator'] });
  void queryClient.invalidateQueries({ queryKey: ['creator', 'state'] });
  return profile;
}

/**
 * Stores a picture of the visitor, shown in the shop or beside a creator's packs.
 * @returns where the new picture is found
 */
export async function uploadAvatar(
  file: File,
  path: '/api/me/avatar' | '/api/creator/avatar',
): Promise<string> {
  const body = new FormData();
  body.append('image', file);
  const { avatarUrl } = await api.put<z.infer<typeof AvatarAnswer>>(path, body);
  void queryClient.invalidateQueries(ownProfileQuery);
  void queryClient.invalidateQueries({ queryKey: ['catalogue', 'creator'] });
  return avatarUrl;
}
