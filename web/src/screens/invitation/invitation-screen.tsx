import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { api, query } from '../../api/api.js';
import { ApiProblem } from '../../api/transport/http.js';
import { collectionsChanged } from '../../collections/collections-changed.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState, Problem, QueryFailure, Skeleton } from '../../ui/states.js';

export default function InvitationScreen() {
  const { token = '' } = useParams();
  const navigate = useNavigate();
  const answer = useQuery(query('GET /api/collections/invitations/:token', { params: { token } }));
  const { data, error } = answer;
  const ended = error instanceof ApiProblem && [400, 404, 410].includes(error.status);
  const accept = useMutation({
    mutationFn: () => api('POST /api/collections/invitations/:token/accept', { params: { token } }),
    onSuccess: ({ id }) => {
      collectionsChanged();
      void navigate(paths.ownCollection(id), { replace: true });
    },
  });
  return (
    <div className="gutter grid place-items-center py-16">
      <PageTitle />
      {ended && (
        <EmptyState
          title="This invitation has ended"
          link={{ to: paths.libraryCollections, label: 'My collections' }}
        >
          It was withdrawn, or someone else has accepted it.
        </EmptyState>
      )}
      {!ended && <QueryFailure of={answer} title="The invitation could not be loaded" />}
      {!data && !error && <Skeleton className="h-40 w-full max-w-120" text="Loading invitation..." />}
      {data && !ended && (
        <div className="panel w-full max-w-120 p-8">
          <h1 className="display text-4xl wrap-anywhere">{data.name}</h1>
          <p className="mt-3 text-muted">
            {data.collectionId
              ? 'You can add to this collection already.'
              : `${data.ownerName} invites you to add to this collection of ${countOf(data.sampleCount, 'sample')}. You both see who added what.`}
          </p>
          <div className="mt-6 flex flex-wrap gap-2">
            {data.collectionId ? (
              <ButtonLink tone="primary" to={paths.ownCollection(data.collectionId)}>
                Open the collection
              </ButtonLink>
            ) : (
              <>
                <Button tone="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
                  Accept
                </Button>
                <ButtonLink to={paths.discover}>Not now</ButtonLink>
              </>
            )}
          </div>
          <Problem of={accept.error} className="pt-4" />
        </div>
      )}
    </div>
  );
}
