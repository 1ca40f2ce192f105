import type { ReactNode } from 'react';
import { Awaited } from '../../staff/awaited.js';
import { More, type PagedList } from '../../staff/paged-list.js';
import { EmptyState } from '../../ui/states.js';

/** A list with its states: loading, failed, empty, or a table. With `more`, it loads page by page. */
export function List<Item extends { id: string }>(
  props: {
    /** The name of the list, for assistive technology. */
    label: string;
    empty: string;
    columns: readonly string[];
    row: (item: Item) => ReactNode;
  } & (
    | { query: Pick<PagedList<Item>, 'data' | 'error' | 'refetch' | 'isRefetching'>; more?: undefined }
    | {
        query: PagedList<Item>;
        /** The label of the button for the next page. */
        more: string;
      }
  ),
) {
  const { query, label, empty, columns, row, more } = props;
  const { data } = query;
  if (!data)
    return <Awaited query={query} failure="The list could not be loaded" loading="Loading..." height={240} />;
  if (data.items.length === 0) return <EmptyState title={empty} />;
  return (
    <>
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
      {more && <More of={props.query}>{more}</More>}
    </>
  );
}

/** A cell; on phones it is a line with its label. */
export function Cell({ label, children }: { label: string; children: ReactNode }) {
  return <td data-label={label}>{children}</td>;
}
