import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { PackCard as Pack, SoundsPage } from '../../../../application/catalogue/contract.js';
import { soundsQuery } from '../../api/catalogue.js';
import { errorIdOf, messageOf } from '../../api/http.js';
import { mirrorPacks } from '../../api/pack-mirror.js';
import { PackCard } from '../../packs/pack-card.js';
import { PackRow } from '../../packs/pack-row.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState, ErrorPanel, LoadingText } from '../../ui/states.js';

const ROWS = [
  { slug: 'new-releases', title: 'New releases', field: 'newReleases' },
  { slug: 'popular-this-week', title: 'Popular this week', field: 'popularThisWeek' },
  { slug: 'trending-genres', title: 'Trending genres', field: 'trendingGenres' },
  { slug: 'featured-collections', title: 'Featured collections', field: 'featuredCollections' },
] as const satisfies readonly { slug: string; title: string; field: keyof SoundsPage }[];

/** One row as a page of its own. */
function RowPage({ title, packs }: { title: string; packs: readonly Pack[] }) {
  return (
    <section className="gutter pb-16">
      <Link
        to={paths.sounds}
        className="mt-5 inline-flex h-10 items-center gap-2.5 text-muted no-underline hover:text-text"
      >
        <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
        Sounds
      </Link>
      <h1 className="display mt-2 text-[52px]">{title}</h1>
      <p className="mt-2 mb-7 text-muted">{countOf(packs.length, 'pack')}</p>
      <div className="pack-grid">
        {packs.map((pack) => (
          <PackCard key={pack.id} pack={pack} />
        ))}
      </div>
    </section>
  );
}

/** The packs in four rows. */
export default function SoundsScreen() {
  const [parameters] = useSearchParams();
  const { data, error, refetch, isRefetching } = useQuery(soundsQuery);
  useEffect(() => data && mirrorPacks(ROWS.map(({ field }) => data[field])), [data]);
  const row = ROWS.find(({ slug }) => slug === parameters.get('row'));
  const empty = data && ROWS.every(({ field }) => data[field].length === 0);
  if (data && row && !empty) {
    return (
      <>
        <title>{`${row.title} · Offcut`}</title>
        <RowPage title={row.title} packs={data[row.field]} />
      </>
    );
  }
  return (
    <div className="pb-16">
      <title>Sounds · Offcut</title>
      <h1 className="sr-only">Sounds</h1>
      {error && (
        <div className="gutter pt-8">
          <ErrorPanel
            title="The packs could not be loaded"
            onRetry={() => void refetch()}
            retrying={isRefetching}
            errorId={errorIdOf(error)}
          >
            {messageOf(error)}
          </ErrorPanel>
        </div>
      )}
      {!data && !error && <LoadingText>Loading packs...</LoadingText>}
      {empty && (
        <div className="gutter pt-8">
          <EmptyState
            title="No packs found"
            action={<ButtonLink to={paths.discover}>Open Discover</ButtonLink>}
          >
            Packs appear here as soon as a creator publishes one.
          </EmptyState>
        </div>
      )}
      {!empty &&
        !error &&
        ROWS.map(({ slug, title, field }, index) => (
          <PackRow
            key={slug}
            title={title}
            packs={data?.[field]}
            seeAll={paths.soundsRow(slug)}
            eager={index === 0}
          />
        ))}
    </div>
  );
}
