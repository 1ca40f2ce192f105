import { infiniteQueryOptions } from '@tanstack/react-query';
import type { DownloadPage, SavedPage } from '../../../application/library/contract.js';
import { api } from './http.js';

const PAGE_SIZE = 100;

function pages<Page extends { nextCursor: string | null }>(name: 'saved' | 'downloads') {
  return infiniteQueryOptions({
    queryKey: ['library', name, 'all'],
    queryFn: ({ signal, pageParam }) =>
      api.get<Page>(`/api/library/${name}`, { query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 5_000,
  });
}

/** Everything the visitor saved, newest first. */
export const savedQuery = pages<SavedPage>('saved');

/** Everything the visitor downloaded, newest first. */
export const downloadsQuery = pages<DownloadPage>('downloads');
