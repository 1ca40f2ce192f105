import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { TRENDING_DAYS } from '../../../../application/catalogue/values.js';
import { type SamplesRequest, samplesQuery } from '../../api/catalogue.js';
import { FilterBar } from '../../filters/filter-bar.js';
import { requestOf } from '../../filters/filters.js';
import { useFilters } from '../../filters/use-filters.js';
import { PackCard } from '../../packs/pack-card.js';
import { PackRow } from '../../packs/pack-row.js';
import { RowPage } from '../../packs/row-page.js';
import { paths } from '../../paths.js';
import { SampleList, SampleListSkeleton } from '../../samples/sample-list.js';
import { SampleResults } from '../../samples/sample-results.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState, QueryFailure } from '../../ui/states.js';

/** A chart of ten samples. */
function Chart({
  title,
  note,
  samples,
}: {
  title: string;
  note: string;
  samples: readonly Sample[] | undefined;
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <div className="mb-3.5 flex items-baseline gap-3">
        <h2 className="display text-3xl md:text-5xl">{title}</h2>
        <p className="text-muted max-md:hidden">{note}</p>
      </div>
      {samples ? (
        <SampleList samples={samples} place="discover" label={title} ranked />
      ) : (
        <SampleListSkeleton rows={10} ranked loadingText="Loading tracks..." />
      )}
    </section>
  );
}

function Results(props: {
  query: ReturnType<typeof useResults>;
  request: SamplesRequest;
  clear: () => void;
}) {
  const { query, request, clear } = props;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (error && !data) return <QueryFailure of={query} title="The tracks could not be loaded" />;
  if (!data) return <SampleListSkeleton rows={10} loadingText="Loading tracks..." />;
  if (data.pages[0]?.total === 0) {
    return (
      <EmptyState title="No Results Found" action={<Button onClick={clear}>Clear the filters</Button>}>
        Try adjusting your filters to find more tracks
      </EmptyState>
    );
  }
  return (
    <SampleResults
      data={data}
      place="discover"
      label="Results"
      hasMore={hasNextPage}
      loadingMore={isFetchingNextPage}
      failed={query.isFetchNextPageError}
      request={request}
      loadMore={() => void fetchNextPage()}
    />
  );
}

/** @param shown whether the tracks are on screen; otherwise only their counts are, which need no refresh */
function useResults(request: SamplesRequest, shown: boolean) {
  return useInfiniteQuery({ ...samplesQuery(request), ...(!shown && { refetchInterval: false as const }) });
}

const ROWS = {
  'rare-finds': { title: 'RARE FINDS', field: 'rareFinds' },
  'trending-discoveries': { title: 'Trending discoveries', field: 'trendingDiscoveries' },
} as const;

/** The row in the address, as a page; undefined if the address names none. */
function useRowPage() {
  const [parameters] = useSearchParams();
  const { data } = useQuery(query('GET /api/discover'));
  const named = parameters.get('row') ?? '';
  const row = Object.hasOwn(ROWS, named) ? ROWS[named as keyof typeof ROWS] : undefined;
  if (!row || !data) return undefined;
  const packs = data[row.field];
  return (
    <RowPage
      title={row.title}
      count={countOf(packs.length, 'pack')}
      back={{ to: paths.discover, label: 'Discover' }}
    >
      {packs.map((pack) => (
        <PackCard key={pack.id} pack={pack} />
      ))}
    </RowPage>
  );
}

function Charts() {
  const answer = useQuery(query('GET /api/discover'));
  const { data, error } = answer;
  if (error && !data) {
    return (
      <div className="gutter pt-8">
        <QueryFailure of={answer} title="Discover could not be loaded" />
      </div>
    );
  }
  return (
    <>
      <PackRow
        title={ROWS['rare-finds'].title}
        packs={data?.rareFinds}
        seeAll={paths.discoverRow('rare-finds')}
        eager
      />
      <div className="gutter grid gap-x-8 gap-y-8 pt-8 xl:grid-cols-2">
        <Chart
          title="TRENDING"
          note={`Most downloaded, the last ${TRENDING_DAYS} days first`}
          samples={data?.trending}
        />
        <Chart title="HOT PICKS" note="From the newest packs" samples={data?.hotPicks} />
      </div>
      <PackRow
        title={ROWS['trending-discoveries'].title}
        packs={data?.trendingDiscoveries}
        seeAll={paths.discoverRow('trending-discoveries')}
      />
    </>
  );
}

/** Charts and rows; with a filter, the matching tracks. */
export default function DiscoverScreen() {
  const { filters, active, change, clear } = useFilters();
  // The dropdowns show counts before the first choice, too.
  const request = { ...requestOf(filters), mode: 'search' as const };
  const results = useResults(request, active > 0);
  const first = results.data?.pages[0];
  const rowPage = useRowPage();
  if (rowPage) return rowPage;
  return (
    <div className="pb-16">
      <PageTitle />
      <h1 className="sr-only">Discover</h1>
      <FilterBar
        {...{ filters, active, change, clear }}
        total={first?.total}
        facets={first?.facets}
        clearLabel="Clear all"
      />
      {active > 0 ? (
        <div className="gutter pt-5">
          <Results query={results} request={request} clear={clear} />
        </div>
      ) : (
        <Charts />
      )}
    </div>
  );
}
