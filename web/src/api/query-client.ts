import {
  type FetchInfiniteQueryOptions,
  MutationCache,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { queryKeyOf } from './api.js';
import { PACK_CACHE_MS } from './caching.js';
import type { Key } from './endpoints.js';

/**
 * Makes a mutation keep its first options. A component passes new options on each render. If its props change while a
 * mutation is pending, the callbacks in the new options would handle the outcome for the wrong object.
 */
class SteadyMutationCache extends MutationCache {
  override build: MutationCache['build'] = (...input) => {
    const mutation = super.build(...input);
    mutation.setOptions = () => undefined;
    return mutation;
  };
}

/** A cache of the server's answers. It does not retry requests, because the HTTP client retries them. */
export const newQueryClient = () =>
  new QueryClient({
    mutationCache: new SteadyMutationCache(),
    defaultOptions: {
      // With `always`, a query fails at once without a connection, so that the visitor can retry. Else it would wait.
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

/** Returns the answer of a change, and marks answers of these endpoints as stale if it succeeds. */
export async function outdating<Answer>(change: Promise<Answer>, ...keys: Key[]): Promise<Answer> {
  const answer = await change;
  void invalidate(...keys);
  return answer;
}

type PageOptions<Page> = FetchInfiniteQueryOptions<Page, Error, Page, QueryKey, string | undefined>;

/** Fetches all pages of a list, at most 200. @param options those of `useInfiniteQuery` */
export const everyPage = <Page>(options: { queryKey: QueryKey }): Promise<Page[]> => firstPages(options, 200);

/** Fetches the first pages of a list without using or filling the cache. @param pages the most pages to fetch */
export async function firstPages<Page>(options: { queryKey: QueryKey }, pages: number): Promise<Page[]> {
  const fetched = await queryClient.fetchInfiniteQuery({
    ...(options as PageOptions<Page>),
    queryKey: [...options.queryKey, 'every'],
    staleTime: 0,
    gcTime: 0,
    pages,
  } as PageOptions<Page>);
  return fetched.pages;
}

const CATALOGUE =
  /^GET \/api\/(home|sounds|discover|swipe|packs|samples|collections(?!\/(own|invitations)\b)|creators)\b/;

export const isCatalogue = ({ queryKey: [key] }: Pick<Query, 'queryKey'>): boolean =>
  CATALOGUE.test(String(key));
