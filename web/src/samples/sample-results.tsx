import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { SamplePage } from '../../../application/catalogue/contract.js';
import type { SamplesRequest } from '../api/catalogue.js';
import { Button } from '../ui/button.js';
import { QueryFailure } from '../ui/states.js';
import type { RowPlace } from './sample-row.js';
import { SampleList, SampleListSkeleton } from './sample-list.js';
import { usePageRefresh } from './use-page-refresh.js';

interface SampleResultsProps {
  request: SamplesRequest;
  query: UseInfiniteQueryResult<InfiniteData<SamplePage>>;
  place: RowPlace;
  label: string;
}

/** Pages of samples as one list, which loads more near its end. */
function List({
  request,
  query,
  data,
  place,
  label,
}: SampleResultsProps & { data: InfiniteData<SamplePage> }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const list = useRef<HTMLDivElement>(null);
  usePageRefresh(request, data.pages.length, list);
  const samples = useMemo(() => data.pages.flatMap((page) => page.items), [data]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Another call would request the same page again. Only a press requests a page that failed.
    if (!hasNextPage || isFetchingNextPage || isFetchNextPageError || !end.current) return;
    if (typeof IntersectionObserver === 'undefined') return;
    // On a busy page, the observer reports several moments at once; the last one counts.
    const observer = new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting && void fetchNextPage(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, samples.length]);
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

/** The samples of a query, or why there are none yet. */
export function SampleResults(
  props: SampleResultsProps & {
    /** The title of a failure. */
    failure: string;
    skeletonRows: number;
    /** Shown if nothing matches. */
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
