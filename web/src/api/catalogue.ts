import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CollectionsQuery } from '../../../application/catalogue/contract.js';
import { api, pages, query } from './api.js';
import { SEARCH_REFRESH_MS } from './caching.js';
import type { Input } from './endpoints.js';
import { queryClient } from './query-client.js';

export const packQuery = (creator: string, slug: string) =>
  query('GET /api/packs/:handle/:slug', { params: { handle: creator, slug } });

export type SamplesRequest = NonNullable<Input<'GET /api/samples'>['query']>;

/** Samples by text and filters, in pages. On screen they are refetched every 8 s. */
export const samplesQuery = (request: SamplesRequest) =>
  infiniteQueryOptions({
    ...pages('GET /api/samples', { query: request }),
    // With several pages, `usePageRefresh` refetches only those on screen.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : SEARCH_REFRESH_MS),
  });

export type CollectionTab = CollectionsQuery['tab'];
const COLLECTION_TABS: readonly CollectionTab[] = ['all', 'sounds', 'artists', 'genres'];

export const collectionTabOf = (search: URLSearchParams): CollectionTab =>
  COLLECTION_TABS.find((tab) => tab === search.get('tab')) ?? 'all';

export const collectionsQuery = (tab: CollectionTab) =>
  pages('GET /api/collections', { query: { tab, limit: 100 } });

/**
 * The first samples for Swipe. They are requested before the cards render, and stay fresh long enough that the cards
 * do not request them again.
 */
export const firstDealQuery = query('GET /api/swipe', { query: { limit: 20 } });

export function fetchSwipe(genre: string | undefined, exclude: readonly string[], signal: AbortSignal) {
  if (!genre && exclude.length === 0) return queryClient.fetchQuery(firstDealQuery);
  const query = { genre, exclude: exclude.slice(-200), limit: 20 } as Input<'GET /api/swipe'>['query'];
  return api('GET /api/swipe', { query, signal });
}

export const legalQuery = (document: string, search: URLSearchParams) => {
  const version = search.get('version');
  return query('GET /api/legal/:document', { params: { document }, query: version ? { version } : {} });
};
