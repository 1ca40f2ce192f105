import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import { ApiProblem } from '../../api/transport/http.js';
import { paths } from '../../paths.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { PageTitle } from '../../shell/page-frame.js';
import { EmptyState, LoadingText, QueryFailure, Skeleton } from '../../ui/states.js';
import { closeShared, showShared, useKept } from '../../workbench/saving.js';
import { useBench } from '../../workbench/workbench.js';

const BenchView = lazyWithPreload(() => import('../../workbench/bench-view.js'));

/** A workbench that its owner shared by link. Visitors may change what they hear, and keep a copy. */
export default function SharedWorkbenchScreen() {
  const { token = '' } = useParams();
  const answer = useQuery(query('GET /api/workbenches/shared/:token', { params: { token } }));
  const { data, error } = answer;
  const bench = useBench();
  const { place } = useKept();
  const ended = error instanceof ApiProblem && [400, 404, 410].includes(error.status);
  // Shows only the first answer of the server, because later answers must not undo what the visitor changed.
  const isThere = data !== undefined;
  useEffect(() => {
    if (isThere && data) showShared(data);
    return closeShared;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- See above.
  }, [token, isThere]);
  return (
    <>
      <PageTitle>{data?.name}</PageTitle>
      {ended ? (
        <div className="gutter py-8">
          <EmptyState title="This link has ended" link={{ to: paths.discover, label: 'Discover' }}>
            Ask the sender for a new one.
          </EmptyState>
        </div>
      ) : (
        <QueryFailure of={answer} title="The workbench could not be loaded" className="gutter py-8" />
      )}
      {!data && !error && (
        <div className="gutter pt-6 pb-40">
          <LoadingText>Loading the workbench...</LoadingText>
          <Skeleton className="h-90" />
        </div>
      )}
      <Suspense>{bench && place === 'shared' && <BenchView bench={bench} />}</Suspense>
    </>
  );
}
