import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type { CollectionCard } from '../../../../application/library/collections/contract.js';
import { query } from '../../api/api.js';
import { Covers } from '../../collections/collection-head.js';
import { PackCardSkeleton } from '../../packs/pack-card.js';
import { paths } from '../../paths.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState, LoadingText, QueryFailure } from '../../ui/states.js';

const NewCollectionDialog = lazyWithPreload(() => import('./new-collection-dialog.js'));

function Card({ card }: { card: CollectionCard }) {
  const { id, name, role, ownerName, isShared, sampleCount, covers } = card;
  const origin = role === 'collaborator' ? `, by ${ownerName}` : isShared ? ', shared' : '';
  return (
    <article className="cover-hover relative">
      <Covers covers={covers} name={name} />
      <h2 className="mt-2.5 truncate text-md font-semibold">
        <Link to={paths.ownCollection(id)} className="no-underline after:absolute after:inset-0">
          {name}
        </Link>
      </h2>
      <p className="truncate text-muted">
        {countOf(sampleCount, 'sample')}
        {origin}
      </p>
    </article>
  );
}

export function CollectionsTab() {
  const answer = useQuery(query('GET /api/collections/own'));
  const [creating, setCreating] = useState(false);
  const create = (
    <Button
      icon={<Plus size={16} />}
      onPointerEnter={() => void NewCollectionDialog.load()}
      onClick={() => setCreating(true)}
    >
      New collection
    </Button>
  );
  const { data, error } = answer;
  return (
    <div className="pt-6">
      <QueryFailure of={answer} title="Your collections could not be loaded" />
      {!data && !error && (
        <div className="pack-grid">
          <LoadingText>Loading your collections...</LoadingText>
          {Array.from({ length: 4 }, (_, at) => (
            <PackCardSkeleton key={at} />
          ))}
        </div>
      )}
      {data?.items.length === 0 && (
        <EmptyState title="No collections yet" action={create}>
          Collect the sounds of a song or an idea, put them in order, and share them by link.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <>
          <div className="pb-5">{create}</div>
          <div className="pack-grid">
            {data.items.map((card) => (
              <Card key={card.id} card={card} />
            ))}
          </div>
        </>
      )}
      <Suspense>{creating && <NewCollectionDialog onClose={() => setCreating(false)} />}</Suspense>
    </div>
  );
}
