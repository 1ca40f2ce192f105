import { useQuery } from '@tanstack/react-query';
import { LogOut, Share2, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { User } from '../../../../application/accounts/contract.js';
import type { OwnCollection } from '../../../../application/library/collections/contract.js';
import {
  COLLECTION_DESCRIPTION_MAX_LENGTH,
  COLLECTION_NAME_MAX_LENGTH,
} from '../../../../application/library/values.js';
import { api, query } from '../../api/api.js';
import { ApiProblem } from '../../api/transport/http.js';
import { CollectionHead } from '../../collections/collection-head.js';
import { collectionsChanged } from '../../collections/collections-changed.js';
import { paths } from '../../paths.js';
import { SampleListSkeleton } from '../../samples/sample-list.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { notifyOf, toast } from '../../ui/overlays/toast.js';
import { EmptyState, QueryFailure } from '../../ui/states.js';
import { describe } from './change-collection.js';
import { Entries } from './entries.js';
import { InlineText } from './inline-text.js';

const ShareDialog = lazyWithPreload(() => import('./share-dialog.js'));

const HEADING = 'display min-w-0 text-5xl wrap-anywhere md:text-7xl';

function useLeaving({ id, name, role }: OwnCollection) {
  const navigate = useNavigate();
  const gone = (title: string) => {
    void navigate(paths.libraryCollections);
    collectionsChanged();
    toast({ title, tone: 'info' });
  };
  return async () => {
    const owns = role === 'owner';
    const sure = await askConfirm(
      owns
        ? {
            title: 'Delete collection?',
            message: `“${name}” and its links end for everyone. What you bought stays yours.`,
            confirmLabel: 'Delete',
            destructive: true,
          }
        : {
            title: 'Leave collection?',
            message: `You can no longer add to “${name}”. What you added stays in it.`,
            confirmLabel: 'Leave',
          },
    );
    if (!sure) return;
    const params = { id };
    await (
      owns
        ? api('DELETE /api/collections/own/:id', { params })
        : api('DELETE /api/collections/own/:id/collaborator', { params })
    ).then(
      () => gone(owns ? 'Collection deleted' : 'You left the collection'),
      notifyOf(owns ? 'The collection was not deleted' : 'You did not leave the collection'),
    );
  };
}

function Head({ collection }: { collection: OwnCollection }) {
  const { id, name, description, role, ownerName, entries, shareUrl, collaborator } = collection;
  const [sharing, setSharing] = useState(false);
  const leave = useLeaving(collection);
  const owns = role === 'owner';
  const samples = entries.flatMap(({ sample }) => sample ?? []);
  const heading = <h1 className={HEADING}>{name}</h1>;
  const text = description && <p className="max-w-[60ch] text-md text-muted">{description}</p>;
  return (
    <CollectionHead
      {...collection}
      samples={samples}
      count={entries.length}
      title={
        owns ? (
          <InlineText
            label="Name"
            value={name}
            maxLength={COLLECTION_NAME_MAX_LENGTH}
            required
            onSave={(next) => void describe(id, { name: next })}
          >
            {heading}
          </InlineText>
        ) : (
          heading
        )
      }
      description={
        <div className="mt-2">
          {owns ? (
            <InlineText
              label="Description"
              value={description}
              maxLength={COLLECTION_DESCRIPTION_MAX_LENGTH}
              onSave={(next) => void describe(id, { description: next })}
            >
              {text || <span className="text-faint">No description</span>}
            </InlineText>
          ) : (
            text
          )}
        </div>
      }
      facts={
        <>
          {!owns && <span>by {ownerName}</span>}
          {shareUrl && <span>Shared by link</span>}
          {owns && collaborator && <span>{collaborator.displayName} adds as well</span>}
        </>
      }
    >
      {owns && (
        <Button
          icon={<Share2 size={17} />}
          onPointerEnter={() => void ShareDialog.load()}
          onClick={() => setSharing(true)}
        >
          Share
        </Button>
      )}
      <Button icon={owns ? <Trash2 size={17} /> : <LogOut size={17} />} onClick={() => void leave()}>
        {owns ? 'Delete' : 'Leave'}
      </Button>
      <Suspense>
        {sharing && <ShareDialog collection={collection} onClose={() => setSharing(false)} />}
      </Suspense>
    </CollectionHead>
  );
}

export default function OwnCollectionScreen({ user }: { user: User }) {
  const { id = '' } = useParams();
  const answer = useQuery(query('GET /api/collections/own/:id', { params: { id } }));
  const { data, error } = answer;
  const missing = error instanceof ApiProblem && [400, 404].includes(error.status);
  return (
    <div className="pb-28">
      <PageTitle>{data?.name}</PageTitle>
      <nav aria-label="Breadcrumb" className="gutter flex items-center gap-2 pt-4 text-muted">
        <Link
          to={paths.libraryCollections}
          className="-my-2 py-3 no-underline hover:text-text hover:underline"
        >
          My collections
        </Link>
      </nav>
      {missing ? (
        <div className="gutter py-8">
          <EmptyState
            title="Collection not found"
            link={{ to: paths.libraryCollections, label: 'My collections' }}
          >
            It was deleted, or you may no longer see it.
          </EmptyState>
        </div>
      ) : (
        <QueryFailure of={answer} title="The collection could not be loaded" className="gutter py-8" />
      )}
      {!data && !error && (
        <div className="gutter pt-6">
          <SampleListSkeleton rows={8} loadingText="Loading collection..." />
        </div>
      )}
      {data && !missing && (
        <>
          <Head collection={data} />
          <div className="gutter">
            {data.entries.length === 0 ? (
              <EmptyState title="Nothing here yet" link={{ to: paths.discover, label: 'Discover' }}>
                Press “Add to collection” beside a sound, in the player or on a pack, or press C.
              </EmptyState>
            ) : (
              <Entries collection={data} userId={user.id} />
            )}
          </div>
        </>
      )}
    </div>
  );
}
