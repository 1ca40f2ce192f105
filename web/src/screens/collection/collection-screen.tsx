import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { Collection } from '../../../../application/catalogue/contract.js';
import { samplesQuery } from '../../api/catalogue.js';
import { ApiProblem } from '../../api/transport/http.js';
import { FilterBar } from '../../filters/filter-bar.js';
import { useFilters } from '../../filters/filters.js';
import { HeadArt } from '../../packs/head-art.js';
import { PackRow } from '../../packs/pack-row.js';
import { paths } from '../../paths.js';
import { SampleListSkeleton } from '../../samples/sample-list.js';
import { SampleResults } from '../../samples/sample-results.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { Cover } from '../../ui/sound/cover.js';
import { countOf, formatAgo } from '../../ui/format.js';
import { EmptyState, QueryFailure } from '../../ui/states.js';
import { useHydrated } from '../../ui/hooks/use-hydrated.js';

function Head({ collection }: { collection: Collection }) {
  const { name, description, samples, updatedAt, artworkUrl, packs } = collection;
  const hydrated = useHydrated();
  return (
    <div className="gutter relative flex items-end gap-7 pt-3 pb-7 max-md:items-start max-md:gap-5">
      <HeadArt
        address={artworkUrl ?? packs.find((pack) => pack.artworkUrl)?.artworkUrl}
        className="max-md:hidden!"
      />
      <Cover
        title={name}
        genre={packs[0]?.genre ?? ''}
        artworkUrl={artworkUrl}
        sizes="(max-width: 767px) 112px, 180px"
        eager
        className="w-45 flex-none max-md:w-28"
      />
      <div className="relative max-w-155 min-w-0">
        <h1 className="display text-5xl wrap-anywhere md:text-8xl">{name}</h1>
        {description && <p className="mt-3 max-w-[60ch] text-md text-muted">{description}</p>}
        <p className="mt-3 flex gap-4 text-muted">
          <span>{countOf(samples, 'sample')}</span>
          {updatedAt && (
            // The server does not know the visitor's clock and time zone, so only the browser shows the age.
            <time
              dateTime={updatedAt}
              title={hydrated ? new Date(updatedAt).toLocaleString('en-GB') : undefined}
            >
              {hydrated ? `Updated ${formatAgo(updatedAt)} ago` : 'Updated'}
            </time>
          )}
        </p>
      </div>
    </div>
  );
}

function Tracks({ collection }: { collection: Collection }) {
  const { active, clear, asRequest, ...bar } = useFilters();
  const request = { mode: 'collection' as const, collection: collection.slug, ...asRequest };
  const query = useInfiniteQuery(samplesQuery(request));
  const first = query.data?.pages[0];
  const empty =
    active > 0 ? (
      <EmptyState title="No tracks found" action={<Button onClick={clear}>Clear the filters</Button>}>
        Nothing in this collection matches the filters.
      </EmptyState>
    ) : (
      <EmptyState title="No tracks found" link={{ to: paths.collections, label: 'Browse Collections' }}>
        This collection is still empty.
      </EmptyState>
    );
  return (
    <>
      <FilterBar
        {...{ ...bar, active, clear, request }}
        total={first?.total}
        facets={first?.facets}
        clearLabel="Clear all"
      />
      <div className="gutter pt-5 pb-16">
        <SampleResults
          {...{ query, request, empty }}
          place="list"
          label={`Tracks of ${collection.name}`}
          failure="The tracks could not be loaded"
          skeletonRows={8}
        />
      </div>
    </>
  );
}

export default function CollectionScreen() {
  const { slug = '' } = useParams();
  const answer = useQuery(query('GET /api/collections/:slug', { params: { slug } }));
  const { data, error } = answer;
  const missing = error instanceof ApiProblem && [400, 404, 410].includes(error.status);
  return (
    <>
      <PageTitle>{data?.name}</PageTitle>
      <nav aria-label="Breadcrumb" className="gutter flex items-center gap-2 pt-4 text-muted">
        <Link to={paths.collections} className="-my-2 py-3 no-underline hover:text-text hover:underline">
          Collections
        </Link>
        {data && (
          <>
            <span aria-hidden="true">/</span>
            <span aria-current="page" className="min-w-0 truncate text-text">
              {data.name}
            </span>
          </>
        )}
      </nav>
      {missing ? (
        <div className="gutter py-8">
          <EmptyState
            title="Collection not found"
            link={{ to: paths.collections, label: 'Browse Collections' }}
          >
            It may have been renamed.
          </EmptyState>
        </div>
      ) : (
        <QueryFailure of={answer} title="The collection could not be loaded" className="gutter py-8" />
      )}
      {!data && !error && (
        <div className="gutter pt-6">
          <SampleListSkeleton rows={8} loadingText="Loading tracks..." />
        </div>
      )}
      {data && (
        <>
          <Head collection={data} />
          {data.packs.length > 1 && <PackRow title="Packs" packs={data.packs} />}
          <div className="pt-6">
            <Tracks collection={data} />
          </div>
        </>
      )}
    </>
  );
}
