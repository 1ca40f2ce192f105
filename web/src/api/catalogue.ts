import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CollectionsQuery, SamplePage, SwipeSamples } from '../../../application/catalogue/contract.js';
import { api, pages, query } from './api.js';
import type { Input } from './endpoints.js';
import { PACK_CACHE_MS, queryClient } from './query-client.js';

export const SEARCH_REFRESH_MS = 8_000;
export const SUGGESTIONS_REFRESH_MS = 10_000;

export const soundsQuery = queryOptions({
  ...query('GET /api/sounds'),
  staleTime: PACK_CACHE_MS,
});

export const discoverQuery = queryOptions({
  ...query('GET /api/discover'),
  staleTime: PACK_CACHE_MS,
});

export const packQuery = (creator: string, slug: string) =>
  queryOptions({
    ...query('GET /api/packs/:handle/:slug', { params: { handle: creator, slug } }),
    staleTime: PACK_CACHE_MS,
  });

/** Query of GET /api/samples as the screens use it. */
export type SamplesRequest = NonNullable<Input<'GET /api/samples'>['query']>;

export const fetchSamplePage = (
  request: SamplesRequest,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<SamplePage> => api('GET /api/samples', { query: { ...request, cursor }, signal });

/** Samples by text and filters, in pages; at most 8 s stale while shown. */
export const samplesQuery = (request: SamplesRequest) =>
  infiniteQueryOptions({
    ...pages('GET /api/samples', { query: request }),
    staleTime: SEARCH_REFRESH_MS,
    // With several pages, `usePageRefresh` refetches only those on screen.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : SEARCH_REFRESH_MS),
    placeholderData: (before) => before,
  });

/** Up to five suggestions; at most 10 s stale while open. */
export const suggestionsQuery = (text: string) =>
  queryOptions({
    ...query('GET /api/search/suggestions', { query: { q: text } }),
    staleTime: SUGGESTIONS_REFRESH_MS,
    refetchInterval: SUGGESTIONS_REFRESH_MS,
    placeholderData: (before) => before,
  });

/** Top creators and featured packs. */
export const homeQuery = queryOptions({
  ...query('GET /api/home'),
  staleTime: PACK_CACHE_MS,
});

/** Up to ten samples like one, with the reasons. */
export const similarQuery = (sampleId: string) =>
  queryOptions({
    ...query('GET /api/samples/:id/similar', { params: { id: sampleId } }),
    staleTime: PACK_CACHE_MS,
  });

export type CollectionTab = CollectionsQuery['tab'];
const COLLECTION_TABS: readonly CollectionTab[] = ['all', 'sounds', 'artists', 'genres'];

/** The tab that an address names, `all` by default. */
export const collectionTabOf = (search: URLSearchParams): CollectionTab =>
  COLLECTION_TABS.find((tab) => tab === search.get('tab')) ?? 'all';

export const collectionsQuery = (tab: CollectionTab) =>
  queryOptions({
    ...query('GET /api/collections', { query: { tab, limit: 100 } }),
    staleTime: PACK_CACHE_MS,
  });

export const collectionQuery = (slug: string) =>
  queryOptions({
    ...query('GET /api/collections/:slug', { params: { slug } }),
    staleTime: PACK_CACHE_MS,
  });

export const creatorQuery = (handle: string) =>
  queryOptions({
    ...query('GET /api/creators/:handle', { params: { handle } }),
  });

/** The first samples for Swipe. They stay fresh long enough to be fetched before the cards render. */
export const firstDealQuery = queryOptions({
  ...query('GET /api/swipe', { query: { limit: 20 } }),
  staleTime: 10_000,
});

/** Random samples for Swipe, except those in `exclude`. */
export function fetchSwipe(
  genre: string | undefined,
  exclude: readonly string[],
  signal: AbortSignal,
): Promise<SwipeSamples> {
  if (!genre && exclude.length === 0) return queryClient.fetchQuery({ ...firstDealQuery, retry: false });
  const query = { genre, exclude: exclude.slice(-200), limit: 20 } as Input<'GET /api/swipe'>['query'];
  return api('GET /api/swipe', { query, signal });
}
