import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { ApiProblem, messageOf } from '../api/transport/http.js';
import { ErrorPanel, Skeleton } from '../ui/states.js';

/** @param props.trail the address and the name of the page above, and the label of this page */
export function PageHead(props: {
  title: ReactNode;
  note?: ReactNode;
  trail?: { to: string; above: string; here: string };
  children?: ReactNode;
}) {
  const { title, note, trail, children } = props;
  return (
    <>
      {trail && (
        <p className="mb-2 text-sm text-muted">
          <Link to={trail.to}>{trail.above}</Link> / {trail.here}
        </p>
      )}
      <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h1 className="display text-5xl">{title}</h1>
          {note && <p className="mt-2 max-w-[72ch] text-muted">{note}</p>}
        </div>
        {children && <div className="flex flex-wrap items-end gap-2 max-md:w-full">{children}</div>}
      </div>
    </>
  );
}

export function Panel(props: {
  title: ReactNode;
  link?: { to: string; label: string };
  className?: string;
  children: ReactNode;
}) {
  const { title, link, className = 'p-5 max-md:p-4', children } = props;
  const id = useId();
  return (
    <section className={clsx('panel min-w-0', className)} aria-labelledby={id}>
      <div className="mb-4 flex items-baseline justify-between gap-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {link && (
          <Link className="underlined text-sm" to={link.to}>
            {link.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

interface Bar {
  id?: string;
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
}

export function PanelBar({ id, title, note, actions }: Bar) {
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-3 pl-5 max-md:pl-3">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <div className="mr-auto text-sm text-muted">{note}</div>
      {actions}
    </div>
  );
}

export function BarPanel({ children, ...bar }: Bar & { children: ReactNode }) {
  const ownId = useId();
  const id = bar.id ?? ownId;
  return (
    <section className="panel min-w-0" aria-labelledby={id}>
      <PanelBar {...bar} id={id} />
      {children}
    </section>
  );
}

export function Fact(props: { name: ReactNode; className?: string; children: ReactNode }) {
  const { name, className = 'font-semibold wrap-anywhere', children } = props;
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}

/** A large amount or count. */
export const Figure = (props: ComponentProps<typeof Fact>) => (
  <Fact className="mt-1.5 text-xl font-[650]" {...props} />
);

/** Shown in a panel in place of a missing answer: loading, or the error message. */
export function Missing({ error, loading, height }: { error: unknown; loading: string; height: number }) {
  if (error) return <p className="text-danger">{messageOf(error)}</p>;
  return (
    <div style={{ height }}>
      <Skeleton className="h-full" text={loading} />
    </div>
  );
}

/** Shown in place of a missing answer: loading, or failed with a button to try again. */
export function Awaited(props: {
  query: { error: unknown; refetch: () => unknown; isRefetching: boolean };
  /** The noun in "The periods could not be loaded" and "Loading the periods...". */
  what?: string;
  failure?: string;
  loading?: string;
  height: number;
  /** Shown instead of the error if the subject does not exist (status 400 or 404). */
  unknown?: ReactNode;
}) {
  const { query, what = 'page', height, unknown } = props;
  const { failure = `The ${what} could not be loaded`, loading = `Loading the ${what}...` } = props;
  const { error, refetch, isRefetching } = query;
  if (unknown && error instanceof ApiProblem && [400, 404].includes(error.status)) return unknown;
  if (error)
    return (
      <ErrorPanel title={failure} error={error} onRetry={() => void refetch()} retrying={isRefetching} />
    );
  return <Missing error={null} loading={loading} height={height} />;
}
