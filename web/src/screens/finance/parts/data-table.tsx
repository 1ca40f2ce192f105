import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { More, type PagedList } from '../../../staff/paged-list.js';
import { Button } from '../../../ui/button.js';
import { countOf } from '../../../ui/format.js';
import { Money } from '../micro-money.js';
import { type CellValue, type Sheet, compareCells, partOf } from './sheet.js';
import { SheetButtons } from './sheet-buttons.js';
import { moveBetweenRows } from './table-keys.js';

export interface Column<Row> {
  label: string;
  /** The value for copying, exporting, sorting and searching. */
  value: (row: Row) => CellValue;
  /** The content of the cell; the value itself by default. */
  cell?: (row: Row) => ReactNode;
  /**
   * The cell in the last line: a word, or the sum over the whole list. During a search, the sum covers the rows
   * found.
   */
  total?: CellValue;
  /** Amounts and counts are always aligned right. */
  align?: 'right';
}

export interface DataTableProps<Row> {
  title: string;
  note?: ReactNode;
  /** The name of the copied and exported file. */
  file: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The paged list that the rows come from. Files and copies contain all of its rows. */
  pages?: PagedList<Row>;
  /** The label of the button for the next page. */
  more?: string;
  keyOf: (row: Row) => string;
  /** Adds a search over the texts of each row. */
  searchable?: boolean;
  /** The content below an open row. */
  detail?: (row: Row) => ReactNode;
  /** Shown if there are no rows. */
  empty: string;
  /** More buttons above the table. */
  actions?: ReactNode;
  className?: string;
}

/** An amount or a count for display: a real minus, zeros faint. */
export function shown(value: CellValue): ReactNode {
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return <Money microUsd={value.microUsd} />;
  return (
    <span className={value === 0 ? 'text-faint' : undefined}>
      {value.toLocaleString('en').replace('-', '\u2212')}
    </span>
  );
}

const isRight = <Row,>({ align, value }: Column<Row>, [first]: readonly Row[]): boolean =>
  align === 'right' || (first !== undefined && typeof value(first) !== 'string');

interface Order {
  by: number;
  falls: boolean;
}

/** The rows that match a search, in the chosen order. */
function arranged<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  search: string,
  order: Order | undefined,
): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = (row: Row) =>
    columns
      .map(({ value }) => value(row))
      .map((value) => (typeof value === 'object' ? (value.microUsd / 1_000_000).toFixed(6) : value))
      .join(' ')
      .toLowerCase();
  const found =
    words.length === 0
      ? rows
      : rows.filter((row) => {
          const text = textOf(row);
          return words.every((word) => text.includes(word));
        });
  const by = order && columns[order.by];
  return by
    ? [...found].sort((a, b) => compareCells(by.value(a), by.value(b)) * (order.falls ? -1 : 1))
    : found;
}

function useOrder<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string) {
  const [order, setOrder] = useState<Order>();
  const sorted = useMemo(() => arranged(rows, columns, search, order), [rows, columns, search, order]);
  // Cycles through ascending, descending and the original order.
  const press = (at: number) =>
    setOrder(order?.by !== at ? { by: at, falls: false } : order.falls ? undefined : { by: at, falls: true });
  return { sorted, order, press };
}

interface Part<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

function Head<Row>({ columns, rows, order, press }: Part<Row> & Omit<ReturnType<typeof useOrder>, 'sorted'>) {
  return (
    <thead>
      <tr>
        {columns.map((column, at) => {
          const sort = order?.by === at ? (order.falls ? 'descending' : 'ascending') : undefined;
          return (
            <th
              key={column.label}
              scope="col"
              data-right={isRight(column, rows) || undefined}
              aria-sort={sort}
            >
              <button type="button" onClick={() => press(at)}>
                {column.label}
                {sort && <span aria-hidden="true">{order?.falls ? '\u2193' : '\u2191'}</span>}
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Line<Row>({ columns, row, below }: { columns: readonly Column<Row>[]; row: Row; below: ReactNode }) {
  return (
    <>
      <tr>
        {columns.map((column, at) => {
          const Cell = at === 0 ? 'th' : 'td';
          return (
            <Cell
              key={column.label}
              scope={at === 0 ? 'row' : undefined}
              data-right={isRight(column, [row]) || undefined}
            >
              {column.cell ? column.cell(row) : shown(column.value(row))}
            </Cell>
          );
        })}
      </tr>
      {below && (
        <tr>
          <td colSpan={columns.length} className="fin-detail">
            {below}
          </td>
        </tr>
      )}
    </>
  );
}

const amountOf = (value: CellValue): number =>
  typeof value === 'object' ? value.microUsd : typeof value === 'number' ? value : 0;

/** The sum over some rows, in the unit of the column's total. */
function sumOf<Row>({ value, total }: Column<Row>, rows: readonly Row[]): CellValue {
  const sum = rows.reduce((before, row) => before + amountOf(value(row)), 0);
  return typeof total === 'object' ? { microUsd: sum } : sum;
}

/** @param found the rows that a search found, if it excluded some */
function Foot<Row>({ columns, rows, found }: Part<Row> & { found: readonly Row[] | undefined }) {
  if (columns.every(({ total }) => total === undefined)) return null;
  const totalOf = (column: Column<Row>): ReactNode => {
    const { total } = column;
    if (total === undefined) return null;
    if (!found) return shown(total);
    return typeof total === 'string'
      ? `${total} of ${countOf(found.length, 'row')} found`
      : shown(sumOf(column, found));
  };
  return (
    <tfoot>
      <tr>
        {columns.map((column, at) => {
          const Cell = at === 0 && column.total !== undefined ? 'th' : 'td';
          return (
            <Cell
              key={column.label}
              scope={Cell === 'th' ? 'row' : undefined}
              data-right={isRight(column, rows) || undefined}
            >
              {totalOf(column)}
            </Cell>
          );
        })}
      </tr>
    </tfoot>
  );
}

function SearchField({
  title,
  search,
  onSearch,
}: {
  title: string;
  search: string;
  onSearch: (text: string) => void;
}) {
  return (
    <span className="flex h-8.5 items-center gap-2 rounded border border-strong px-2.5 text-muted max-md:flex-[1_1_140px] focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-(--focus)">
      <Search size={15} strokeWidth={1.75} aria-hidden="true" />
      <input
        type="search"
        className="w-37.5 text-text outline-0 max-md:w-full max-md:min-w-0"
        aria-label={`Search in ${title}`}
        placeholder="Search"
        value={search}
        onChange={({ target }) => onSearch(target.value)}
      />
    </span>
  );
}

/** Further rows appear on request; copies and files contain all rows. */
const ROWS_AT_ONCE = 200;
/** A table with more rows scrolls in its own box; head and sum stay visible. */
const LONG_ROWS = 30;

/** A table to read, search, sort, copy and export; the arrow keys move between rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    title,
    note,
    file,
    columns,
    rows,
    pages,
    more,
    keyOf,
    searchable,
    detail,
    empty,
    actions,
    className,
  } = props;
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const { sorted, ...order } = useOrder(rows, columns, search);
  const id = useId();
  const words = search.trim();
  const sheet = async (): Promise<Sheet> => {
    const { items, isWhole } = pages?.hasNextPage ? await pages.every() : { items: rows, isWhole: true };
    const found = arranged(items, columns, search, order.order);
    return {
      columns: columns.map(({ label }) => label),
      rows: found.map((row) => columns.map(({ value }) => value(row))),
      part: partOf(found.length, items.length, words, isWhole),
    };
  };
  return (
    <section className="panel min-w-0" aria-labelledby={id}>
      <div className="fin-bar">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <div className="mr-auto text-sm text-muted">{note}</div>
        {searchable && rows.length > 0 && <SearchField title={title} search={search} onSearch={setSearch} />}
        {actions}
        {rows.length > 0 && <SheetButtons title={title} file={file} sheet={sheet} />}
      </div>
      {sorted.length === 0 ? (
        <p className="border-t border-line px-5 py-5 text-muted">
          {rows.length === 0
            ? empty
            : `${pages?.hasNextPage ? `None of the ${rows.length} rows loaded so far` : 'No row'} matches “${words}”.`}
        </p>
      ) : (
        <div
          className="overflow-auto border-t border-line focus-visible:-outline-offset-2 data-long:max-h-[80vh]"
          data-long={sorted.length > LONG_ROWS || undefined}
          role="group"
          aria-labelledby={id}
          tabIndex={0}
        >
          <table className={clsx('fin-table fin-data', className)} aria-labelledby={id}>
            <Head columns={columns} rows={rows} {...order} />
            <tbody onKeyDown={moveBetweenRows}>
              {sorted.slice(0, most).map((row) => (
                <Line key={keyOf(row)} columns={columns} row={row} below={detail?.(row)} />
              ))}
            </tbody>
            <Foot columns={columns} rows={rows} found={words ? sorted : undefined} />
          </table>
        </div>
      )}
      {sorted.length > most && (
        <div className="flex items-center gap-4 border-t border-line px-5 py-3 text-muted">
          {most.toLocaleString('en')} of {sorted.length.toLocaleString('en')} shown
          <Button size="small" onClick={() => setMost(most + ROWS_AT_ONCE)}>
            More rows
          </Button>
        </div>
      )}
      {pages?.hasNextPage && (
        <div className="border-t border-line px-5 pb-4">
          <More of={pages}>{more}</More>
        </div>
      )}
    </section>
  );
}
