import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { TRENDING_DAYS } from '../../../../application/catalogue/values.js';
import { samplesQuery } from '../../api/catalogue.js';
import { FilterBar } from '../../filters/filter-bar.js';
import { useFilters } from '../../filters/filters.js';
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

function Chart(props: { title: string; note: string; samples: readonly Sample[] | undefined }) {
  const { title, note, samples } = props;
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

const ROWS = {
  'rare-finds': { title: 'RARE FINDS', field: 'rareFinds' },
  'trending-discoveries': { title: 'Trending discoveries', field: 'trendingDiscoveries' },
} as const;

/** The screen with all packs of the row that the URL names; undefined while they load, or if the URL names no row. */
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
  if (error && !data)
    return <QueryFailure of={answer} title="Discover could not be loaded" className="gutter pt-8" />;
  const row = (slug: keyof typeof ROWS) => (
    <PackRow
      title={ROWS[slug].title}
      packs={data?.[ROWS[slug].field]}
      seeAll={paths.discoverRow(slug)}
      eager={slug === 'rare-finds'}
    />
  );
  return (
    <>
      {row('rare-finds')}
      <div className="gutter grid gap-x-8 gap-y-8 pt-8 xl:grid-cols-2">
        <Chart
          title="TRENDING"
          note={`Most downloaded, the last ${TRENDING_DAYS} days first`}
          samples={data?.trending}
        />
        <Chart title="HOT PICKS" note="From the newest packs" samples={data?.hotPicks} />
      </div>
      {row('trending-discoveries')}
    </>
  );
}

export default function DiscoverScreen() {
  const { active, clear, asRequest, ...bar } = useFilters();
  // Results are requested even without a filter, because the dropdowns of the filters show counts before any is set.
  const request = { ...asRequest, mode: 'search' as const };
  const results = useInfiniteQuery({
    ...samplesQuery(request),
    // Without a filter only the counts are shown, which need no refresh.
    ...(active === 0 && { refetchInterval: false as const }),
  });
  const first = results.data?.pages[0];
  const rowPage = useRowPage();
  if (rowPage) return rowPage;
  return (
    <div className="pb-16">
      <PageTitle />
      <h1 className="sr-only">Discover</h1>
      <FilterBar
        {...{ ...bar, active, clear, request }}
        total={first?.total}
        facets={first?.facets}
        clearLabel="Clear all"
      />
      {active > 0 ? (
        <div className="gutter pt-5">
          <SampleResults
            query={results}
            request={request}
            place="discover"
            label="Results"
            failure="The tracks could not be loaded"
            skeletonRows={10}
            empty={
              <EmptyState
                title="No Results Found"
                action={<Button onClick={clear}>Clear the filters</Button>}
              >
                Try adjusting your filters to find more tracks
              </EmptyState>
            }
          />
        </div>
      ) : (
        <Charts />
      )}
    </div>
  );
}
