import type { ReactNode } from 'react';
import { Awaited } from '../../../staff/awaited.js';
import { EmptyState } from '../../../ui/states.js';

/** The rows of a page: awaited, failed, none, or as `children` show them. */
export function AwaitedRows(props: {
  query: { data?: unknown; error: unknown; refetch: () => unknown; isRefetching: boolean };
  /** What they are: "accounts". */
  what: string;
  rows: readonly unknown[];
  none: { title: string; text: string };
  /** Of the table, roughly. */
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
