import { ErrorPanel, LoadingText, Skeleton } from '../ui/states.js';

/** Replaces a missing answer: loading, or failed with a button to try again. */
export function Awaited(props: {
  query: { error: unknown; refetch: () => unknown; isRefetching: boolean };
  /** "The periods could not be loaded". */
  failure: string;
  /** "Loading the periods...". */
  loading: string;
  height: number;
}) {
  const { query, failure, loading, height } = props;
  if (query.error)
    return (
      <ErrorPanel
        title={failure}
        onRetry={() => void query.refetch()}
        retrying={query.isRefetching}
        error={query.error}
      />
    );
  return (
    <div style={{ height }}>
      <LoadingText>{loading}</LoadingText>
      <Skeleton className="h-full" />
    </div>
  );
}
