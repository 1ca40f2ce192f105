import type { ReactNode } from 'react';
import { Awaited } from '../../staff/awaited.js';
import { EmptyState } from '../../ui/states.js';

/** A list that loads, fails, is empty or is a table. */
export function List<Item extends { id: string }>(props: {
  query: { data?: { items: Item[] }; error: unknown; refetch: () => unknown; isRefetching: boolean };
  /** What it lists, for assistive technology. */
  label: string;
  empty: string;
  columns: readonly string[];
  row: (item: Item) => ReactNode;
}) {
  const { query, label, empty, columns, row } = props;
  const { data } = query;
  if (!data)
    return <Awaited query={query} failure="The list could not be loaded" loading="Loading..." height={240} />;
  if (data.items.length === 0) return <EmptyState title={empty} />;
  return (
    <table className="admin-list panel">
      <caption className="sr-only">{label}</caption>
      <thead className="max-lg:sr-only">
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{data.items.map(row)}</tbody>
    </table>
  );
}

/** A cell; on phones it is a line that says what it is. */
export function Cell({ label, children }: { label: string; children: ReactNode }) {
  return <td data-label={label}>{children}</td>;
}
