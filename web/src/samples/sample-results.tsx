import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { SamplePage } from '../../../application/catalogue/contract.js';
import { Button } from '../ui/button.js';
import type { RowPlace } from './sample-row.js';
import { SampleList } from './sample-list.js';

export interface SampleResultsProps {
  data: InfiniteData<SamplePage>;
  place: RowPlace;
  label: string;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
}

/** Pages of samples as one list that grows near its end. */
export function SampleResults({ data, place, label, hasMore, loadingMore, loadMore }: SampleResultsProps) {
  const samples = useMemo(() => data.pages.flatMap((page) => page.items), [data]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Asking again would begin the same page anew.
    if (!hasMore || loadingMore || !end.current || typeof IntersectionObserver === 'undefined') return;
    // A busy page hears of several moments at once; the last one holds.
    const observer = new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting && loadMore(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, loadingMore, loadMore, samples.length]);
  return (
    <>
      <SampleList samples={samples} place={place} label={label} headings />
      {hasMore && (
        <div ref={end} className="flex justify-center py-6">
          <Button busy={loadingMore} onClick={loadMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
