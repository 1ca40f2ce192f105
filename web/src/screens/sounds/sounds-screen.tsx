import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { Collection, PackCard as Pack, SoundsPage } from '../../../../application/catalogue/contract.js';
import { mirrorPacks } from '../../api/storage/pack-mirror.js';
import { CollectionCard } from '../../packs/collection-card.js';
import { PackCard } from '../../packs/pack-card.js';
import { CARD_SIZES, CardRow, EAGER_CARDS } from '../../packs/pack-row.js';
import { RowPage } from '../../packs/row-page.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { countOf } from '../../ui/format.js';
import { EmptyState, LoadingText, QueryFailure } from '../../ui/states.js';

const ROWS = [
  { slug: 'new-releases', title: 'New releases', field: 'newReleases', holds: 'pack' },
  { slug: 'popular-this-week', title: 'Popular this week', field: 'popularThisWeek', holds: 'pack' },
  { slug: 'trending-genres', title: 'Trending genres', field: 'trendingGenres', holds: 'genre' },
  {
    slug: 'featured-collections',
    title: 'Featured collections',
    field: 'featuredCollections',
    holds: 'collection',
  },
] as const satisfies readonly { slug: string; title: string; field: keyof SoundsPage; holds: string }[];

const cardsOf = (cards: readonly (Pack | Collection)[], as: 'h2' | 'h3', eagerCount = 0) =>
  cards.map((card, index) =>
    'category' in card ? (
      <CollectionCard key={card.id} collection={card} as={as} />
    ) : (
      <PackCard key={card.id} pack={card} sizes={CARD_SIZES} eager={index < eagerCount} />
    ),
  );

export default function SoundsScreen() {
  const [parameters] = useSearchParams();
  const answer = useQuery(query('GET /api/sounds'));
  const { data, error } = answer;
  useEffect(() => data && mirrorPacks([data.newReleases, data.popularThisWeek]), [data]);
  const row = ROWS.find(({ slug }) => slug === parameters.get('row'));
  const empty = data && ROWS.every(({ field }) => data[field].length === 0);
  if (data && row && !empty)
    return (
      <RowPage
        title={row.title}
        count={countOf(data[row.field].length, row.holds)}
        back={{ to: paths.sounds, label: 'Sounds' }}
      >
        {cardsOf(data[row.field], 'h2')}
      </RowPage>
    );
  return (
    <div className="pb-16">
      <PageTitle />
      <h1 className="sr-only">Sounds</h1>
      <QueryFailure of={answer} title="The packs could not be loaded" className="gutter pt-8" />
      {!data && !error && <LoadingText>Loading packs...</LoadingText>}
      {empty && (
        <div className="gutter pt-8">
          <EmptyState title="No packs found" link={{ to: paths.discover, label: 'Open Discover' }}>
            Packs appear here as soon as a creator publishes one.
          </EmptyState>
        </div>
      )}
      {!empty &&
        !error &&
        ROWS.map((each, index) => (
          <CardRow
            key={each.slug}
            title={each.title}
            cards={data && cardsOf(data[each.field], 'h3', index === 0 ? EAGER_CARDS : 0)}
            seeAll={paths.soundsRow(each.slug)}
          />
        ))}
    </div>
  );
}
