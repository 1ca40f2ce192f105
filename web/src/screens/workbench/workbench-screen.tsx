import { Suspense, useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { PageTitle } from '../../shell/page-frame.js';
import { EmptyState, ErrorPanel, LoadingText, Skeleton } from '../../ui/states.js';
import { ensureOpen, openWorkbench, useKept } from '../../workbench/saving.js';
import { useBench } from '../../workbench/workbench.js';

const BenchView = lazyWithPreload(() => import('../../workbench/bench-view.js'));

function BenchSkeleton() {
  return (
    <div className="gutter pt-6 pb-40">
      <LoadingText>Loading the workbench...</LoadingText>
      <Skeleton className="mb-8 h-9 w-60" />
      {Array.from({ length: 5 }, (_, at) => (
        <Skeleton key={at} className="mb-4 h-12" />
      ))}
    </div>
  );
}

export default function WorkbenchScreen() {
  const { id } = useParams();
  const bench = useBench();
  const { opening, place } = useKept();
  const isKnown = useSession().status !== 'loading';
  useEffect(() => {
    if (isKnown) void (id === undefined ? ensureOpen() : openWorkbench(id));
  }, [id, isKnown]);
  return (
    <>
      <PageTitle>{bench?.name}</PageTitle>
      {opening.status === 'missing' && (
        <div className="gutter py-8">
          <EmptyState title="Workbench not found" link={{ to: paths.workbench, label: 'My workbench' }}>
            It was deleted, or it is not yours.
          </EmptyState>
        </div>
      )}
      {opening.status === 'failed' && (
        <div className="gutter py-8">
          <ErrorPanel
            title="The workbench could not be loaded"
            error={opening.error}
            onRetry={() => void openWorkbench(id)}
          />
        </div>
      )}
      {opening.status === 'loading' && <BenchSkeleton />}
      <Suspense fallback={<BenchSkeleton />}>
        {opening.status === 'open' && bench && place !== 'shared' && <BenchView bench={bench} />}
      </Suspense>
    </>
  );
}
