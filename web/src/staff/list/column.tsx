import { clsx } from 'clsx';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Badge } from '../../ui/badge.js';
import { formatDay, formatTime, partsOf } from '../../ui/format.js';
import { monthName, utcDay, utcTime } from '../dates.js';
import type { CellValue } from './sheet.js';

export interface Column<Row> {
  label: string;
  /** The value to show, copy, export, sort and search; null if a row has none. A column of buttons has no value. */
  value?: (row: Row) => CellValue | null;
  /** How the value is shown, such as `kinds.time`. Texts, counts and amounts need none. */
  kind?(value: CellValue): ReactNode;
  /** Shows the value as a badge. */
  tone?: (row: Row) => ComponentProps<typeof Badge>['tone'];
  /** The page that the value links to. */
  to?: (row: Row) => string;
  /** Whether the value is a button that opens the `detail` of the row. */
  opens?: (row: Row) => boolean;
  /** The content of the cell, if value and kind do not suffice. */
  cell?: (row: Row) => ReactNode;
  /** The cell in the last line: a word such as "Total", or the sum over the whole list that the server computed. */
  total?: CellValue | undefined;
  /** Shows the sum of all rows in the last line once all are loaded. A `total` is shown instead. */
  sum?: boolean;
  /** Aligns texts right. Amounts and counts are always aligned right. */
  align?: 'right';
}

const unbroken = (text: string): ReactNode => <span className="whitespace-nowrap">{text}</span>;

export const kinds = {
  /** A time in UTC. */
  time: (iso: string): ReactNode => unbroken(utcTime(iso)),
  /** A time in UTC that matters less than the rest of its row. */
  quietTime: (iso: string): ReactNode => <span className="text-muted">{unbroken(utcTime(iso))}</span>,
  day: (iso: string): ReactNode => unbroken(utcDay(iso)),
  /** @param name `2026-10` */
  month: (name: string): ReactNode => unbroken(monthName(name)),
  /** A time in the time zone of the reader. */
  localTime: (iso: string): ReactNode => `${formatDay(iso)}, ${formatTime(iso)}`,
  unbroken,
  code: (text: string): ReactNode => <span className="mono">{text}</span>,
  strong: (text: string): ReactNode => <span className="font-semibold">{text}</span>,
};

/**
 * "1,234.56", with the exact amount on hover; inside an element with `data-exact`, the exact amount is always
 * visible. A zero is faint.
 */
export function Money({ microUsd, signed = false }: { microUsd: number; signed?: boolean }) {
  const { sign, whole, cents, rest } = partsOf(microUsd);
  return (
    <span
      className={clsx('whitespace-nowrap', microUsd === 0 && 'text-faint')}
      title={rest === 0 ? undefined : `${sign}${whole}.${cents}${String(rest).padStart(4, '0')}`}
    >
      {signed && microUsd > 0 ? '+' : sign}
      {whole}.{cents}
      {/* The digits below a cent keep their width even when empty, so that the cents of all rows align. */}
      <span
        className="hidden min-w-[4.2ch] pl-0.5 text-left text-xs font-[450] text-faint in-data-exact:inline-block"
        aria-hidden={rest === 0 ? true : undefined}
      >
        {rest === 0 ? '' : String(rest).padStart(4, '0')}
      </span>
    </span>
  );
}

/** The note of pages whose shown amounts are summed up. */
export const CUT_OFF =
  'Amounts are cut off to whole cents; each shows its exact value when the pointer rests on it.';

/** Shows a value. Amounts and counts get a real minus sign, and zeros are faint. */
export function shown(value: CellValue): ReactNode {
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return <Money microUsd={value.microUsd} />;
  return (
    <span className={value === 0 ? 'text-faint' : undefined}>
      {value.toLocaleString('en').replace('-', '\u2212')}
    </span>
  );
}

export const valueOf = <Row,>({ value }: Column<Row>, row: Row): CellValue => value?.(row) ?? '';

export const isRight = <Row,>(column: Column<Row>, [first]: readonly Row[]): boolean =>
  column.align === 'right' || (first !== undefined && typeof valueOf(column, first) !== 'string');

interface Opener {
  isOpen: boolean;
  toggle: () => void;
}

function contentOf<Row>(column: Column<Row>, row: Row, isHeader: boolean, opener: Opener): ReactNode {
  const { cell, kind, tone, to, opens } = column;
  if (cell) return cell(row);
  const value = column.value?.(row) ?? null;
  if (value === null) return '–';
  const content = kind && value !== '' ? kind(value) : shown(value);
  if (tone) return <Badge tone={tone(row)}>{content}</Badge>;
  if (opens?.(row))
    return (
      <button
        type="button"
        className="underlined text-left"
        aria-expanded={opener.isOpen}
        onClick={opener.toggle}
      >
        {content}
      </button>
    );
  return to && value !== '' ? (
    <Link to={to(row)} className={isHeader ? 'hover:underline' : 'underlined'}>
      {content}
    </Link>
  ) : (
    content
  );
}

/** A row of a table, with its open detail below. Where rows are shown as cards, each value has its label. */
export function Line<Row>(props: {
  columns: readonly Column<Row>[];
  row: Row;
  opener: Opener;
  below?: ReactNode;
}) {
  const { columns, row, opener, below } = props;
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
              data-label={at > 0 && column.value ? column.label : undefined}
            >
              {contentOf(column, row, at === 0, opener)}
            </Cell>
          );
        })}
      </tr>
      {below && (
        <tr>
          <td colSpan={columns.length} className="fin-detail bg-inset p-0 text-left">
            {below}
          </td>
        </tr>
      )}
    </>
  );
}

const CONTROLS = 'a[href], button:not(:disabled)';

/** Handles keys in the body of a table: arrow keys, Home and End move the focus to the same control of another row. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (!['ArrowUp', 'ArrowDown', 'Home', 'End'].includes(event.key) || event.altKey || event.metaKey) return;
  const here = (event.target as HTMLElement).closest<HTMLElement>(CONTROLS);
  const row = here?.closest('tr');
  if (!here || !row) return;
  const rows = [...event.currentTarget.querySelectorAll('tr')].filter((each) => each.querySelector(CONTROLS));
  const at = rows.indexOf(row);
  const targets: Record<string, number> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: rows.length - 1,
  };
  const next = rows[targets[event.key] ?? -1];
  if (!next) return;
  const place = [...row.querySelectorAll(CONTROLS)].indexOf(here);
  const controls = next.querySelectorAll<HTMLElement>(CONTROLS);
  event.preventDefault();
  event.stopPropagation();
  (controls[place] ?? controls[controls.length - 1])?.focus();
}
