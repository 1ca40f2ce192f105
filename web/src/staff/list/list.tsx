import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState } from '../../ui/states.js';
import { Awaited, BarPanel } from '../page-parts.js';
import { type Column, isRight, Line, moveBetweenRows, shown, valueOf } from './column.js';
import { More, type PagedList } from './paged-list.js';
import { type CellValue, type Sheet, SheetButtons, compareCells, partOf } from './sheet.js';

/** The answer of a query, with rows. A paged answer loads further rows on request. */
export type Rows<Row> =
  | PagedList<Row>
  | (Pick<PagedList<Row>, 'data' | 'error' | 'refetch' | 'isRefetching'> & { every?: undefined });

export interface ListProps<Row> {
  /** The answer of a query that contains the rows, or rows that are already loaded. */
  of: Rows<Row> | readonly Row[];
  /** The plural noun for the rows in "The creators could not be loaded". */
  what?: string;
  title: string;
  note?: ReactNode;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** The name of the CSV file. Only a list with this name can be copied and saved. */
  file?: string;
  /** The label of the button for the next page. */
  more?: string;
  /** Adds a search over the values of the loaded rows. */
  searchable?: boolean;
  /** The content below an open row. The buttons of a column with `opens` show and hide it. */
  detail?: (row: Row) => ReactNode;
  /** The key of the row that is open at first. */
  open?: string | undefined;
  /** Shown if there are no rows: a text inside the panel of the table, or a title and a text in place of the panel. */
  empty?: string | { title: string; text?: string };
  /** More buttons above the table. */
  actions?: ReactNode;
  /** Rows are cards on phones and tablets, and tall rows elsewhere. The list shows no title of its own. */
  cards?: boolean;
  /**
   * A table of amounts to compare: on phones it scrolls sideways, while its first and its last column stay
   * visible.
   */
  sideways?: boolean;
  after?: ReactNode;
}

/** Converts the answer of a query into rows for `List`, if the rows are not in `items` or need another order. */
export const rowsOf = <Answer, Row>(
  query: Pick<PagedList<Row>, 'error' | 'refetch' | 'isRefetching'> & { data: Answer | undefined },
  of: (answer: Answer) => readonly Row[],
): Rows<Row> => {
  const { data, error, refetch, isRefetching } = query;
  return { data: data === undefined ? undefined : { items: of(data) }, error, refetch, isRefetching };
};

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
  const textOf = (value: CellValue) =>
    typeof value === 'object' ? (value.microUsd / 1_000_000).toFixed(6) : String(value).toLowerCase();
  const matches = (row: Row) => {
    const text = columns.map((column) => textOf(valueOf(column, row))).join(' ');
    return words.every((word) => text.includes(word));
  };
  const found = words.length === 0 ? rows : rows.filter(matches);
  const by = order && columns[order.by];
  return by
    ? found.toSorted((a, b) => compareCells(valueOf(by, a), valueOf(by, b)) * (order.falls ? -1 : 1))
    : found;
}

function useOrder<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string) {
  const [order, setOrder] = useState<Order>();
  const sorted = useMemo(() => arranged(rows, columns, search, order), [rows, columns, search, order]);
  // Presses on a column heading cycle through ascending, descending and the original order.
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
              <button
                type="button"
                className="inline-flex min-h-6 items-center gap-1.5 [text-align:inherit] hover:text-text"
                onClick={() => press(at)}
              >
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

/** The sum over some rows, in the unit of the column. */
function sumOf<Row>(column: Column<Row>, rows: readonly Row[]): CellValue {
  let [sum, isMoney] = [0, typeof column.total === 'object'];
  for (const row of rows) {
    const value = valueOf(column, row);
    if (typeof value === 'object') isMoney = true;
    sum += typeof value === 'object' ? value.microUsd : typeof value === 'number' ? value : 0;
  }
  return isMoney ? { microUsd: sum } : sum;
}

/**
 * @param props.isWhole whether `rows` are all rows
 * @param props.found the rows that match the search; undefined without a search
 */
function Foot<Row>(props: Part<Row> & { isWhole: boolean; found: readonly Row[] | undefined }) {
  const { columns, rows, isWhole, found } = props;
  if (columns.every(({ total, sum }) => total === undefined && !sum)) return null;
  const totalOf = (column: Column<Row>): ReactNode => {
    const { total, sum } = column;
    if (total === undefined && !sum) return null;
    if (typeof total === 'string') return found ? `${total} of ${countOf(found.length, 'row')} found` : total;
    if (found) return shown(sumOf(column, found));
    if (total !== undefined) return shown(total);
    return isWhole && shown(sumOf(column, rows));
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
              data-label={column.label}
            >
              {totalOf(column)}
            </Cell>
          );
        })}
      </tr>
    </tfoot>
  );
}

function SearchField(props: { title: string; search: string; onSearch: (text: string) => void }) {
  return (
    <span className="flex h-8.5 items-center gap-2 rounded border border-strong px-2.5 text-muted max-md:flex-[1_1_140px] focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-(--focus)">
      <Search size={15} />
      <input
        type="search"
        className="w-37.5 text-text outline-0 max-md:w-full max-md:min-w-0"
        aria-label={`Search in ${props.title}`}
        placeholder="Search"
        value={props.search}
        onChange={({ target }) => props.onSearch(target.value)}
      />
    </span>
  );
}

/** A table shows this many rows, and as many more per press on "More rows". Copies and files contain all rows. */
const ROWS_AT_ONCE = 200;
/** A table with more rows scrolls in its own box; its head and sum stay visible. */
const LONG_ROWS = 30;

/** Tables with more columns become cards on phones. */
const FEW_COLUMNS = 4;

type Loaded<Row> = ListProps<Row> & { rows: readonly Row[]; paged: PagedList<Row> | undefined };

/** The copied and exported table: every row of the list that matches the search, in the chosen order. */
async function sheetOf<Row>(
  { columns, rows, paged }: Loaded<Row>,
  search: string,
  order: Order | undefined,
): Promise<Sheet> {
  const { items, isWhole } = paged?.hasNextPage ? await paged.every() : { items: rows, isWhole: true };
  const found = arranged(items, columns, search, order);
  const exported = columns.filter(({ value }) => value);
  return {
    columns: exported.map(({ label }) => label),
    rows: found.map((row) => exported.map((column) => valueOf(column, row))),
    part: partOf(found.length, items.length, search.trim(), isWhole),
  };
}

function Lines<Row>({ list, rows }: { list: ListProps<Row>; rows: readonly Row[] }) {
  const { open: first, keyOf, columns, detail } = list;
  const [chosen, setChosen] = useState<string | null>();
  const open = chosen === undefined ? first : chosen;
  return rows.map((row) => {
    const key = keyOf(row);
    const isOpen = open === key;
    const opener = { isOpen, toggle: () => setChosen(isOpen ? null : key) };
    return <Line key={key} columns={columns} row={row} opener={opener} below={isOpen && detail?.(row)} />;
  });
}

function Table<Row>(props: Loaded<Row>) {
  const { title, note, file, columns, rows, paged, empty } = props;
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const { sorted, ...order } = useOrder(rows, columns, search);
  const id = useId();
  const words = search.trim();
  return (
    <BarPanel
      id={id}
      title={title}
      note={note}
      actions={
        <>
          {props.searchable && rows.length > 0 && (
            <SearchField title={title} search={search} onSearch={setSearch} />
          )}
          {props.actions}
          {file && rows.length > 0 && (
            <SheetButtons title={title} file={file} sheet={() => sheetOf(props, search, order.order)} />
          )}
        </>
      }
    >
      {sorted.length === 0 ? (
        <p className="border-t border-line px-5 py-5 text-muted">
          {rows.length === 0
            ? String(empty ?? '')
            : `${paged?.hasNextPage ? `None of the ${rows.length} rows loaded so far` : 'No row'} matches “${words}”.`}
        </p>
      ) : (
        <div
          // `relative`: texts for screen readers scroll with the table, or they would widen the page.
          className="relative overflow-auto border-t border-line focus-visible:-outline-offset-2 data-long:max-h-[80vh]"
          data-long={sorted.length > LONG_ROWS || undefined}
          role="group"
          aria-labelledby={id}
          tabIndex={0}
        >
          <table
            className={clsx(
              'fin-table fin-data',
              props.sideways ? 'fin-sticky' : columns.length > FEW_COLUMNS && 'fin-cards',
            )}
            aria-labelledby={id}
          >
            <Head columns={columns} rows={rows} {...order} />
            <tbody onKeyDown={moveBetweenRows}>
              <Lines list={props} rows={sorted.slice(0, most)} />
            </tbody>
            <Foot
              columns={columns}
              rows={rows}
              isWhole={!paged?.hasNextPage}
              found={words ? sorted : undefined}
            />
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
      {paged?.hasNextPage && (
        <div className="border-t border-line px-5 pb-4">
          <More of={paged}>{props.more}</More>
        </div>
      )}
    </BarPanel>
  );
}

function Cards<Row>(props: Loaded<Row>) {
  const { title, file, columns, rows, paged } = props;
  return (
    <>
      <table className="admin-list panel">
        <caption className="sr-only">{title}</caption>
        <thead className="max-lg:sr-only">
          <tr>
            {columns.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Lines list={props} rows={rows} />
        </tbody>
      </table>
      <div className="flex items-start justify-between gap-4">
        {paged && <More of={paged}>{props.more}</More>}
        {file && (
          <div className="mt-2 ml-auto">
            <SheetButtons title={title} file={file} sheet={() => sheetOf(props, '', undefined)} />
          </div>
        )}
      </div>
    </>
  );
}

/** A list of the back office in each of its states: loading, failed, empty, or a table. */
export function List<Row>(props: ListProps<Row>) {
  const { of, what = 'list', empty = '', cards } = props;
  const rows = 'data' in of ? of.data?.items : of;
  const paged = 'data' in of && of.every ? of : undefined;
  if (!rows) return 'data' in of && <Awaited query={of} what={what} height={320} />;
  if (rows.length === 0 && (cards || typeof empty === 'object')) {
    const { title, text } = typeof empty === 'object' ? empty : { title: empty, text: undefined };
    return <EmptyState title={title}>{text}</EmptyState>;
  }
  const Shape = cards ? Cards : Table;
  return <Shape {...props} rows={rows} paged={paged} />;
}
