import { MutationCache, QueryClient, type Query } from '@tanstack/react-query';
import { queryKeyOf } from './api.js';
import { PACK_CACHE_MS } from './caching.js';
import type { Key } from './endpoints.js';

/**
 * A mutation keeps its first options. A component passes new options on each render. If its props have changed, these
 * would settle a pending mutation for another subject.
 */
class SteadyMutationCache extends MutationCache {
  override build: MutationCache['build'] = (...input) => {
    const mutation = super.build(...input);
    mutation.setOptions = () => undefined;
    return mutation;
  };
}

/** A cache of the server's answers. The HTTP client retries, and a return to the window refetches nothing. */
export const newQueryClient = () =>
  new QueryClient({
    mutationCache: new SteadyMutationCache(),
    defaultOptions: {
      // Without a connection a query fails at once, so that the visitor can retry, instead of waiting forever.
      queries: {
        staleTime: 60_000,
        gcTime: PACK_CACHE_MS,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

export const queryClient = newQueryClient();

/** Marks all answers of these endpoints as stale; those on screen are refetched. */
export const invalidate = (...keys: Key[]): Promise<unknown> =>
  Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: queryKeyOf(key) })));

const CATALOGUE = /^GET \/api\/(home|sounds|discover|swipe|packs|samples|collections|creators)\b/;

/** Whether an answer is part of the public catalogue. */
export const isCatalogue = ({ queryKey: [key] }: Pick<Query, 'queryKey'>): boolean =>
  CATALOGUE.test(String(key));
