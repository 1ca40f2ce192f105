import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { SamplePage } from '../../../application/catalogue/contract.js';
import type { SamplesRequest } from '../api/catalogue.js';
import { Button } from '../ui/button.js';
import type { RowPlace } from './sample-row.js';
import { SampleList } from './sample-list.js';
import { usePageRefresh } from './use-page-refresh.js';

export interface SampleResultsProps {
  request: SamplesRequest;
  data: InfiniteData<SamplePage>;
  place: RowPlace;
  label: string;
  hasMore: boolean;
  loadingMore: boolean;
  /** The next page failed, so only a press requests it again. */
  failed: boolean;
  loadMore: () => void;
}

/** Pages of samples as one list, which loads more near its end. */
export function SampleResults(props: SampleResultsProps) {
  const { request, data, place, label, hasMore, loadingMore, failed, loadMore } = props;
  const list = useRef<HTMLDivElement>(null);
  usePageRefresh(request, data.pages.length, list);
  const samples = useMemo(() => data.pages.flatMap((page) => page.items), [data]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Another call would request the same page again.
    if (!hasMore || loadingMore || failed || !end.current || typeof IntersectionObserver === 'undefined')
      return;
    // On a busy page, the observer reports several moments at once; the last one counts.
    const observer = new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting && loadMore(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, loadingMore, failed, loadMore, samples.length]);
  return (
    <div ref={list}>
      <SampleList samples={samples} place={place} label={label} headings />
      {hasMore && (
        <div ref={end} className="flex flex-wrap items-center justify-center gap-4 py-6">
          {failed && !loadingMore && <p role="alert">More could not be loaded.</p>}
          <Button busy={loadingMore} onClick={loadMore}>
            {failed ? 'Try again' : 'Show more'}
          </Button>
        </div>
      )}
    </div>
  );
}
