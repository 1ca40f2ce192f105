import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { type CollectionTab, collectionTabOf, collectionsQuery } from '../../api/catalogue.js';
import { CollectionCard } from '../../packs/collection-card.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { EmptyState, LoadingText, QueryFailure, Skeleton } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';

const TABS = [
  { id: 'all', label: 'All' },
  { id: 'sounds', label: 'Sounds' },
  { id: 'artists', label: 'Artists' },
  { id: 'genres', label: 'Genres' },
] as const satisfies readonly { id: CollectionTab; label: string }[];

export default function CollectionsScreen() {
  const [parameters, setParameters] = useSearchParams();
  const tab = collectionTabOf(parameters);
  const answer = useInfiniteQuery(collectionsQuery(tab));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = answer;
  const collections = data?.pages.flatMap(({ items }) => items);
  const choose = (id: CollectionTab) => setParameters(id === 'all' ? {} : { tab: id }, { replace: true });
  return (
    <div className="gutter pt-9 pb-16">
      <PageTitle />
      <h1 className="display mb-5 text-7xl md:text-8xl">Browse Collections</h1>
      <Tabs tabs={TABS} value={tab} onChange={choose} label="Categories">
        <div className="pt-7">
          <QueryFailure of={answer} title="The collections could not be loaded" />
          {!collections && !error && (
            <div className="pack-grid">
              <LoadingText>Loading collections...</LoadingText>
              {Array.from({ length: 12 }, (_, index) => (
                <Skeleton key={index} className="aspect-square" />
              ))}
            </div>
          )}
          {collections?.length === 0 && (
            <EmptyState title="No collections yet">A collection appears with its first pack.</EmptyState>
          )}
          {collections && collections.length > 0 && (
            <div className="pack-grid">
              {collections.map((collection) => (
                <CollectionCard key={collection.id} collection={collection} />
              ))}
            </div>
          )}
          {hasNextPage && (
            <Button className="mt-8" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          )}
        </div>
      </Tabs>
    </div>
  );
}
