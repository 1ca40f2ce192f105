import { type InfiniteData, type UseInfiniteQueryResult, replaceEqualDeep } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, type RefObject } from 'react';
import type { SamplePage } from '../../../application/catalogue/contract.js';
import { type SamplesRequest, samplesQuery } from '../api/catalogue.js';
import { Button } from '../ui/button.js';
import { QueryFailure } from '../ui/states.js';
import type { RowPlace } from './sample-row.js';
import { SampleList, SampleListSkeleton } from './sample-list.js';
import { api } from '../api/api.js';
import { SEARCH_REFRESH_MS } from '../api/caching.js';
import { isNextPageDue } from '../api/next-page.js';
import { queryClient } from '../api/query-client.js';

function shownIn(list: HTMLElement): Set<string | undefined> {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-sample]')];
  const onScreen = rows.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom >= 0 && top <= window.innerHeight;
  });
  return new Set(onScreen.map((row) => row.dataset.sample));
}

/**
 * Refetches the first page, which has the counts, and the pages on screen. If rows have moved to another page,
 * refetches all pages.
 */
async function refresh(request: SamplesRequest, list: HTMLElement): Promise<void> {
  const { queryKey } = samplesQuery(request);
  const before = queryClient.getQueryData(queryKey);
  if (!before || queryClient.isFetching({ queryKey, exact: true }) > 0) return;
  const shown = shownIn(list);
  const wanted = before.pages.flatMap(({ items }, place) =>
    place === 0 || items.some(({ id }) => shown.has(id)) ? [place] : [],
  );
  const answers = await Promise.all(
    wanted.map((place) =>
      api('GET /api/samples', {
        query: { ...request, cursor: (before.pageParams[place] as string | null | undefined) ?? undefined },
      }),
    ),
  );
  // If the list changed during the requests, their answers are outdated.
  if (queryClient.getQueryData(queryKey) !== before) return;
  const fresh = new Map(wanted.map((place, at) => [place, answers[at]]));
  const haveMoved = before.pages.some(({ nextCursor, total }, place) => {
    const answer = fresh.get(place);
    return answer !== undefined && (answer.nextCursor !== nextCursor || answer.total !== total);
  });
  if (haveMoved) return queryClient.invalidateQueries({ queryKey, exact: true });
  const pages = before.pages.map((page, place) => fresh.get(place) ?? page);
  queryClient.setQueryData(queryKey, replaceEqualDeep(before, { ...before, pages }));
}

/** Keeps a list of several pages as fresh as a single page, without fetching invisible pages. */
function usePageRefresh(
  request: SamplesRequest,
  pageCount: number,
  list: RefObject<HTMLElement | null>,
): void {
  const asked = JSON.stringify(request);
  useEffect(() => {
    if (pageCount < 2) return;
    const timer = setInterval(() => {
      if (document.hidden || !list.current) return;
      refresh(JSON.parse(asked) as SamplesRequest, list.current).catch(() => undefined);
    }, SEARCH_REFRESH_MS);
    return () => clearInterval(timer);
  }, [asked, pageCount, list]);
}

interface SampleResultsProps {
  request: SamplesRequest;
  query: UseInfiniteQueryResult<InfiniteData<SamplePage>>;
  place: RowPlace;
  label: string;
}

function List(props: SampleResultsProps & { data: InfiniteData<SamplePage> }) {
  const { request, query, data, place, label } = props;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isDue = isNextPageDue(query);
  const list = useRef<HTMLDivElement>(null);
  usePageRefresh(request, data.pages.length, list);
  const samples = useMemo(() => data.pages.flatMap((page) => page.items), [data]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isDue || !end.current) return;
    if (typeof IntersectionObserver === 'undefined') return;
    // On a busy page, the observer passes several entries in one call. The last entry has the current state.
    const observer = new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting && void fetchNextPage(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isDue, fetchNextPage, samples.length]);
  return (
    <div ref={list}>
      <SampleList samples={samples} place={place} label={label} headings />
      {hasNextPage && (
        <div ref={end} className="flex flex-wrap items-center justify-center gap-4 py-6">
          {isFetchNextPageError && !isFetchingNextPage && <p role="alert">More could not be loaded.</p>}
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchNextPageError ? 'Try again' : 'Show more'}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The samples of a query; a placeholder while they load, and an error if they could not be loaded. */
export function SampleResults(
  props: SampleResultsProps & {
    failure: string;
    skeletonRows: number;
    empty: ReactNode;
  },
) {
  const { query, failure, skeletonRows, empty } = props;
  const { data, error } = query;
  if (!data)
    return error ? (
      <QueryFailure of={query} title={failure} />
    ) : (
      <SampleListSkeleton rows={skeletonRows} loadingText="Loading tracks..." />
    );
  return data.pages[0]?.total === 0 ? empty : <List {...props} data={data} />;
}
