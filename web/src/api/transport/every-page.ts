import type { FetchInfiniteQueryOptions, QueryKey } from '@tanstack/react-query';
import { queryClient } from '../query-client.js';

/** A file that the browser makes contains at most this many pages of rows. */
const FILE_PAGES = 200;

type Options<Page> = FetchInfiniteQueryOptions<Page, Error, Page, QueryKey, string | undefined>;

/** Fetches every page of a list without using or filling the cache. @param options of `useInfiniteQuery` */
export async function everyPage<Page>(options: { queryKey: QueryKey }): Promise<Page[]> {
  const { pages } = await queryClient.fetchInfiniteQuery({
    ...(options as Options<Page>),
    queryKey: [...options.queryKey, 'every'],
    staleTime: 0,
    gcTime: 0,
    pages: FILE_PAGES,
  } as Options<Page>);
  return pages;
}
