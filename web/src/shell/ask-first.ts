import type { FetchInfiniteQueryOptions, FetchQueryOptions, QueryClient } from '@tanstack/react-query';
import type { Address, FirstQuery, Page } from '../page.js';
import { currentSession } from '../session/session.js';
import { fetchAhead } from './lazy-with-preload.js';
import { opens } from './page-access.js';

/** Passes a page's first queries to `start` once they are loaded and the visitor has access. */
export async function askFirst(
  page: Page,
  address: Address,
  start: (query: FirstQuery) => void,
): Promise<void> {
  const question = page.load?.(address);
  if (question) start(question);
  if (!page.queries) return;
  const [file, isOpen] = await Promise.all([fetchAhead(page.queries), opens(page)]);
  if (isOpen) file?.default(address, currentSession().user).forEach(start);
}

/** Fetches a missing or stale answer, or the first page of answers. */
export function fetchFirst(client: QueryClient, query: FirstQuery): void {
  if ('initialPageParam' in query) void client.prefetchInfiniteQuery(query as FetchInfiniteQueryOptions);
  else void client.prefetchQuery<unknown>(query as FetchQueryOptions);
}
