import { MutationCache, QueryClient, type Query } from '@tanstack/react-query';
import { queryKeyOf } from './api.js';
import type { Key } from './endpoints.js';

export const PACK_CACHE_MS = 30 * 60_000;

/**
 * A mutation keeps the options that it began with. A component hands over new ones with each render, and after its
 * props have changed these would settle a pending mutation for another subject.
 */
class SteadyMutationCache extends MutationCache {
  override build: MutationCache['build'] = (...input) => {
    const mutation = super.build(...input);
    mutation.setOptions = () => undefined;
    return mutation;
  };
}

/** A cache of the server's answers. Retries belong to the HTTP client; nothing refetches under the visitor's hands. */
export const newQueryClient = () =>
  new QueryClient({
    mutationCache: new SteadyMutationCache(),
    defaultOptions: {
      // Without a connection a query fails at once and can be retried, instead of waiting for ever.
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

/** The cache of this page. */
export const queryClient = newQueryClient();

/** Marks all answers of these endpoints as out of date: those on screen are fetched again. */
export const invalidate = (...keys: Key[]): Promise<unknown> =>
  Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: queryKeyOf(key) })));

const CATALOGUE = /^GET \/api\/(home|sounds|discover|swipe|packs|samples|collections|creators)\b/;

/** Whether an answer shows what is on offer to everybody. */
export const isCatalogue = ({ queryKey: [key] }: Pick<Query, 'queryKey'>): boolean =>
  CATALOGUE.test(String(key));
