import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { ownPacksQuery } from '../../api/creator.js';
import { CreatorGate } from '../../creators/creator-gate.js';
import { Button } from '../../ui/button.js';
import { EmptyState, LoadingText, QueryFailure, Skeleton } from '../../ui/states.js';
import { Figures } from './figures.js';
import { PackGrid } from './pack-grid.js';
import { PayoutCard } from './payout-card.js';

function Loading() {
  return (
    <>
      <LoadingText>Loading your packs...</LoadingText>
      <Skeleton className="h-32.5" />
      <Skeleton className="mt-4 h-80" />
    </>
  );
}

export function Overview({ onNewPack }: { onNewPack: () => void }) {
  const answer = useQuery(ownPacksQuery);
  const { data, error } = answer;
  if (error && !data) return <QueryFailure of={answer} title="Your packs could not be loaded" />;
  if (!data) return <Loading />;
  const packs = data.items;
  return (
    <div className="grid gap-4">
      <CreatorGate />
      <Figures />
      <div className="grid gap-4 xl:flex">
        <section aria-labelledby="packs-title" className="panel min-w-0 flex-1 p-5">
          <h2 id="packs-title" className="mb-5 text-lg font-semibold">
            Your Packs <span className="ml-2 text-base font-normal text-faint">{packs.length}</span>
          </h2>
          {packs.length > 0 ? (
            <PackGrid packs={packs} />
          ) : (
            <EmptyState
              title="No published packs yet"
              action={
                <Button icon={<Plus size={18} />} onClick={onNewPack}>
                  Create New Pack
                </Button>
              }
            >
              Start with a name and a genre. Your pack stays private until you publish it.
            </EmptyState>
          )}
        </section>
        <PayoutCard />
      </div>
    </div>
  );
}
