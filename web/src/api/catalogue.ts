import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type {
  Collection,
  CollectionPage,
  CollectionsQuery,
  CreatorProfile,
  DiscoverPage,
  HomePage,
  PackDetail,
  SamplePage,
  SimilarSamples,
  SoundsPage,
  Suggestions,
  SwipeSamples,
} from '../../../application/catalogue/contract.js';
import { api } from './http.js';
import { PACK_CACHE_MS } from './query-client.js';

export const SEARCH_REFRESH_MS = 8_000;
export const SUGGESTIONS_REFRESH_MS = 10_000;

/** The rows of the Sounds page. */
export const soundsQuery = queryOptions({
  queryKey: ['catalogue', 'sounds'],
  queryFn: ({ signal }) => api.get<SoundsPage>('/api/sounds', { signal }),
  staleTime: PACK_CACHE_MS,
});

/** The rows and lists of the Discover page. */
export const discoverQuery = queryOptions({
  queryKey: ['catalogue', 'discover'],
  queryFn: ({ signal }) => api.get<DiscoverPage>('/api/discover', { signal }),
  staleTime: PACK_CACHE_MS,
});

/** A pack with its samples. */
export const packQuery = (creator: string, slug: string) =>
  queryOptions({
    queryKey: ['catalogue', 'pack', creator, slug],
    queryFn: ({ signal }) =>
      api.get<PackDetail>(`/api/packs/${encodeURIComponent(creator)}/${encodeURIComponent(slug)}`, {
        signal,
      }),
    staleTime: PACK_CACHE_MS,
  });

/** Query of GET /api/samples as the screens use it. */
export type SamplesRequest = Record<string, string | number | readonly string[] | undefined>;

/** One page of samples by text and filters. */
export const fetchSamplePage = (
  query: SamplesRequest,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<SamplePage> => api.get<SamplePage>('/api/samples', { query: { ...query, cursor }, signal });

/** Samples by text and filters, page after page; never staler than 8 s while shown. */
export const samplesQuery = (query: SamplesRequest) =>
  infiniteQueryOptions({
    queryKey: ['catalogue', 'samples', query],
    queryFn: ({ signal, pageParam }) => fetchSamplePage(query, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: SEARCH_REFRESH_MS,
    // Of several pages, `usePageRefresh` asks only for those on screen.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : SEARCH_REFRESH_MS),
    placeholderData: (before) => before,
  });

/** Up to five suggestions; never staler than 10 s while open. */
export const suggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: ['suggestions', text],
    queryFn: ({ signal }) =>
      api.get<z.infer<typeof Suggestions>>('/api/search/suggestions', { query: { q: text }, signal }),
    staleTime: SUGGESTIONS_REFRESH_MS,
    refetchInterval: SUGGESTIONS_REFRESH_MS,
    placeholderData: (before) => before,
  });

/** Top creators and featured packs. */
export const homeQuery = queryOptions({
  queryKey: ['catalogue', 'home'],
  queryFn: ({ signal }) => api.get<HomePage>('/api/home', { signal }),
  staleTime: PACK_CACHE_MS,
});

/** Up to ten samples like one, with the reasons. */
export const similarQuery = (sampleId: string) =>
  queryOptions({
    queryKey: ['catalogue', 'similar', sampleId],
    queryFn: ({ signal }) =>
      api.get<SimilarSamples>(`/api/samples/${encodeURIComponent(sampleId)}/similar`, { signal }),
    staleTime: PACK_CACHE_MS,
  });

export type CollectionTab = CollectionsQuery['tab'];

/** Collections of one tab. */
export const collectionsQuery = (tab: CollectionTab) =>
  queryOptions({
    queryKey: ['catalogue', 'collections', tab],
    queryFn: ({ signal }) =>
      api.get<CollectionPage>('/api/collections', { query: { tab, limit: 100 }, signal }),
    staleTime: PACK_CACHE_MS,
  });

/** One collection with its packs. */
export const collectionQuery = (slug: string) =>
  queryOptions({
    queryKey: ['catalogue', 'collection', slug],
    queryFn: ({ signal }) => api.get<Collection>(`/api/collections/${encodeURIComponent(slug)}`, { signal }),
    staleTime: PACK_CACHE_MS,
  });

/** A creator's public profile. */
export const creatorQuery = (handle: string) =>
  queryOptions({
    queryKey: ['catalogue', 'creator', handle],
    queryFn: ({ signal }) =>
      api.get<CreatorProfile>(`/api/creators/${encodeURIComponent(handle)}`, { signal }),
  });

/** Random samples for Swipe, without those given. */
export function fetchSwipe(
  genre: string | undefined,
  exclude: readonly string[],
  signal: AbortSignal,
): Promise<SwipeSamples> {
  const query = { genre, exclude: exclude.slice(-200), limit: 20 };
  return api.get<SwipeSamples>('/api/swipe', { query, signal });
}
