import { type ReactNode, useId } from 'react';
import { messageOf } from '../../../api/transport/http.js';
import { LoadingText, Skeleton } from '../../../ui/states.js';

/** A titled part of a page, with a link to the whole list. */
export function Panel({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="panel min-w-0 p-5 max-md:p-4" aria-labelledby={id}>
      <div className="mb-4 flex items-baseline justify-between gap-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <span className="text-sm">{link}</span>
      </div>
      {children}
    </section>
  );
}

/** Placeholder of a panel while its answer is missing, or the error message. */
export function Missing({ error, loading, height }: { error: unknown; loading: string; height: number }) {
  if (error) return <p className="text-danger">{messageOf(error)}</p>;
  return (
    <div style={{ height }}>
      <LoadingText>{loading}</LoadingText>
      <Skeleton className="h-full" />
    </div>
  );
}
