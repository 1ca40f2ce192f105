import { clsx } from 'clsx';
import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorIdOf, messageOf } from '../api/transport/http.js';
import { Button, ButtonLink } from './button.js';
import { useCopy } from './hooks/use-copy.js';

/** Shown instead of an empty list: a drawing, a title, a text, and one link or another action. */
export function EmptyState(props: {
  title: string;
  children?: ReactNode;
  link?: { to: string; label: string };
  action?: ReactNode;
}) {
  const { title, children, link } = props;
  const action = link ? <ButtonLink to={link.to}>{link.label}</ButtonLink> : props.action;
  return (
    <div className="mat grid place-items-center border border-line px-6 py-14 text-center">
      <svg viewBox="0 0 12 12" width="52" height="52" aria-hidden="true" className="mb-4 fill-mark">
        <path d="M0 0h12v12z" />
      </svg>
      <h2 className="display text-3xl">{title}</h2>
      {children && <p className="mt-2.5 max-w-[46ch] text-muted">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

export function ErrorPanel(props: {
  title: string;
  /** If the server logged this error, the panel offers the id of the log entry to copy for support. */
  error?: unknown;
  /** The reason, and what to do; the message of the error by default. */
  children?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
}) {
  const { title, error, children = error ? messageOf(error) : undefined, onRetry, retrying } = props;
  const errorId = errorIdOf(error);
  const { copied, copy } = useCopy();
  return (
    <div role="alert" className="panel flex gap-3.5 border-l-3 border-l-danger p-5">
      <CircleAlert size={18} className="mt-0.5 text-danger" />
      <div className="min-w-0">
        <p className="text-md font-semibold">{title}</p>
        {children && <div className="mt-1 text-muted">{children}</div>}
        <div className="flex flex-wrap items-center gap-2 not-empty:mt-3.5">
          {onRetry && (
            <Button size="small" onClick={onRetry} busy={retrying} icon={<RotateCw size={15} />}>
              Try again
            </Button>
          )}
          {errorId && (
            <Button size="small" tone="ghost" onClick={() => copy(errorId)}>
              {copied ? 'Copied' : 'Copy error id'}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** A text about a problem, or the message of an error, beside its control; nothing without a problem. */
export function Problem({ of: problem, className }: { of: unknown; className?: string }) {
  return problem ? (
    <span role="alert" className={clsx('block text-danger', className)}>
      {typeof problem === 'string' ? problem : messageOf(problem)}
    </span>
  ) : null;
}

/** The failure of a query without an answer, with a button to try again; otherwise nothing. */
export function QueryFailure(props: {
  of: { data: unknown; error: unknown; refetch: () => unknown; isRefetching: boolean };
  title: string;
  /** Classes of a box around the panel. */
  className?: string;
}) {
  const { data, error, refetch, isRefetching } = props.of;
  if (!error || data !== undefined) return null;
  const panel = (
    <ErrorPanel title={props.title} error={error} onRetry={() => void refetch()} retrying={isRefetching} />
  );
  return props.className ? <div className={props.className}>{panel}</div> : panel;
}

/** A placeholder block for loading content. @param text read out by assistive technology while the block is visible */
export function Skeleton({ className, text }: { className?: string; text?: string }) {
  return (
    <>
      {text && <LoadingText>{text}</LoadingText>}
      <span aria-hidden="true" className={clsx('skeleton after-150ms block', className)} />
    </>
  );
}

export function LoadingText({ children }: { children: string }) {
  return (
    <p role="status" className="sr-only">
      {children}
    </p>
  );
}
