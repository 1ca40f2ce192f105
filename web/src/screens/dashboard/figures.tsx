import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import { errorIdOf, messageOf } from '../../api/transport/http.js';
import { ErrorPanel, LoadingText, Skeleton } from '../../ui/states.js';
import { Performance } from './performance.js';
import { RecentActivity } from './recent-activity.js';
import { StatCards } from './stat-cards.js';

export function Figures() {
  const { data, error, refetch, isRefetching } = useQuery(query('GET /api/creator/dashboard'));
  if (!data && error) {
    return (
      <ErrorPanel
        title="Your figures could not be loaded"
        onRetry={() => void refetch()}
        retrying={isRefetching}
        errorId={errorIdOf(error)}
      >
        {messageOf(error)}
      </ErrorPanel>
    );
  }
  if (!data) {
    return (
      <>
        <LoadingText>Loading your figures...</LoadingText>
        <Skeleton className="h-32.5" />
        <Skeleton className="h-75" />
      </>
    );
  }
  return (
    <>
      <StatCards figures={data} />
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_360px]">
        <Performance points={data.points} />
        <RecentActivity activity={data.activity} />
      </div>
    </>
  );
}
