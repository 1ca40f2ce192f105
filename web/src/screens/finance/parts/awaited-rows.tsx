import type { ReactNode } from 'react';
import { Awaited } from '../../../staff/awaited.js';
import { EmptyState } from '../../../ui/states.js';

/** The rows of a page in each state: loading, failed, empty, or rendered by `children`. */
export function AwaitedRows(props: {
  query: { data?: unknown; error: unknown; refetch: () => unknown; isRefetching: boolean };
  /** The plural noun for the rows: "accounts". */
  what: string;
  rows: readonly unknown[];
  none: { title: string; text: string };
  /** The approximate height of the table. */
  height?: number;
  children: ReactNode;
}) {
  const { query, what, rows, none, height = 420, children } = props;
  if (!query.data)
    return (
      <Awaited
        query={query}
        failure={`The ${what} could not be loaded`}
        loading={`Loading the ${what}...`}
        height={height}
      />
    );
  return rows.length === 0 ? <EmptyState title={none.title}>{none.text}</EmptyState> : children;
}
