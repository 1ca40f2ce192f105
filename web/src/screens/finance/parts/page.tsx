import type { ReactNode } from 'react';
import { errorIdOf, messageOf } from '../../../api/http.js';
import { ErrorPanel, LoadingText, Skeleton } from '../../../ui/states.js';

/** The head of a page of the books: its name, a sentence, and what can be chosen. */
export function PageHead({
  title,
  note,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 className="display text-5xl">{title}</h1>
        {note && <p className="mt-2 max-w-[72ch] text-muted">{note}</p>}
      </div>
      {children && <div className="flex flex-wrap items-end gap-2 max-md:w-full">{children}</div>}
    </div>
  );
}

/** Stands where an answer is missing: loading, or failed with a way to try again. */
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
        errorId={errorIdOf(query.error)}
      >
        {messageOf(query.error)}
      </ErrorPanel>
    );
  return (
    <div style={{ height }}>
      <LoadingText>{loading}</LoadingText>
      <Skeleton className="h-full" />
    </div>
  );
}
