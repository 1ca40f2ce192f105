import { useEffect } from 'react';

interface PagedQuery {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Whether the next page of a list can be requested without a press. A refetch of the list and the request of a page
 * cancel each other, so that a page is requested after the refetch. A page that failed waits for a press.
 */
export const isNextPageDue = ({ hasNextPage, isFetching, isFetchNextPageError }: PagedQuery): boolean =>
  hasNextPage && !isFetching && !isFetchNextPageError;

/** Requests one page after the other while they are wanted. */
export function useNextPages(query: PagedQuery, wanted = true): void {
  const { fetchNextPage } = query;
  const isDue = wanted && isNextPageDue(query);
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
}
