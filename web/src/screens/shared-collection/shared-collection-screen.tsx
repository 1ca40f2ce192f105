import { useMutation, useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useNavigate, useParams } from 'react-router-dom';
import type { SharedCollection } from '../../../../application/library/collections/contract.js';
import { query } from '../../api/api.js';
import { ApiProblem } from '../../api/transport/http.js';
import { CollectionHead } from '../../collections/collection-head.js';
import { copyToMine } from '../../collections/copy-to-mine.js';
import { paths } from '../../paths.js';
import { SampleList, SampleListSkeleton } from '../../samples/sample-list.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState, QueryFailure } from '../../ui/states.js';

function Shared({ collection, token }: { collection: SharedCollection; token: string }) {
  const { name, description, samples, unavailableCount } = collection;
  const navigate = useNavigate();
  const copy = useMutation({ mutationFn: () => copyToMine(token, (path) => void navigate(path)) });
  return (
    <>
      <CollectionHead
        {...collection}
        count={samples.length}
        title={<h1 className="display text-5xl wrap-anywhere md:text-7xl">{name}</h1>}
        description={description && <p className="mt-3 max-w-[60ch] text-md text-muted">{description}</p>}
        facts={unavailableCount > 0 && <span>{unavailableCount} no longer on sale</span>}
      >
        <Button icon={<Copy size={17} />} busy={copy.isPending} onClick={() => copy.mutate()}>
          Copy to mine
        </Button>
      </CollectionHead>
      <div className="gutter pb-16">
        {samples.length === 0 ? (
          <EmptyState title="Nothing to hear yet" link={{ to: paths.discover, label: 'Discover' }}>
            No sound of this collection is on sale.
          </EmptyState>
        ) : (
          <SampleList samples={samples} place="list" label={`Samples of ${name}`} headings />
        )}
        {unavailableCount > 0 && (
          <p className="pt-5 text-muted">
            {countOf(unavailableCount, 'sample')} of this collection left the catalogue.
          </p>
        )}
      </div>
    </>
  );
}

export default function SharedCollectionScreen() {
  const { token = '' } = useParams();
  const answer = useQuery(query('GET /api/collections/shared/:token', { params: { token } }));
  const { data, error } = answer;
  const ended = error instanceof ApiProblem && [400, 404, 410].includes(error.status);
  return (
    <div className="pt-6">
      <PageTitle>{data?.name}</PageTitle>
      {ended ? (
        <div className="gutter py-8">
          <EmptyState title="This link has ended" link={{ to: paths.discover, label: 'Discover' }}>
            Ask the sender for a new one.
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
      {data && !ended && <Shared collection={data} token={token} />}
    </div>
  );
}
