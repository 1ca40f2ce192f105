import { Suspense } from 'react';
import { useParams, useSearchParams, useNavigate } from 'react-router-dom';
import { PageTitle } from '../../shell/page-frame.js';
import { NewComplaint } from './new-complaint.js';
import { OneComplaint } from './one-complaint.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { messageOf } from '../../api/transport/http.js';
import { complaintPaths } from '../../creators/complaint-words.js';
import { Button } from '../../ui/button.js';
import { ErrorPanel } from '../../ui/states.js';

/** Confirms a complaint from a mailed link. Only a press confirms, because mail programs may open links. */
function Confirm({ id, token }: { id: string; token: string }) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api('POST /api/complaints/:id/confirm', { params: { id }, body: { token } }),
    onSuccess: (answer) => void navigate(complaintPaths.one(id, answer.token), { replace: true }),
  });
  return (
    <>
      <h1 className="display mb-4 text-6xl max-md:text-5xl">Confirm your complaint</h1>
      <p className="mb-6 max-w-[60ch] text-muted">
        We see it once you confirm it. Then we send you a link to follow it.
      </p>
      {error ? (
        <ErrorPanel title="It was not confirmed" error={error}>
          {messageOf(error)} It may have been confirmed before: later mails have a link to it.
        </ErrorPanel>
      ) : (
        <Button tone="primary" size="large" busy={isPending} onClick={() => mutate()}>
          Confirm the complaint
        </Button>
      )}
    </>
  );
}

const Transparency = lazyWithPreload(() => import('./transparency.js'));

export default function Complaint() {
  const { id } = useParams();
  const [search] = useSearchParams();
  const confirm = search.get('confirm');
  return (
    <div className="gutter mx-auto max-w-220 py-12 max-md:py-8">
      <PageTitle>Complaint</PageTitle>
      <meta name="robots" content="noindex" />
      {id === undefined ? (
        <NewComplaint />
      ) : id === 'transparency' ? (
        <Suspense>
          <Transparency />
        </Suspense>
      ) : confirm === null ? (
        <OneComplaint key={id} id={id} token={search.get('token')} />
      ) : (
        <Confirm id={id} token={confirm} />
      )}
    </div>
  );
}
