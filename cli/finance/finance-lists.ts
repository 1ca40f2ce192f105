import * as z from 'zod';
import { csvCell } from '../../application/shared/csv.js';
import {
  AlertQueries,
  BookQueries,
  MonthlyBookQueries,
  OpenBookQueries,
  TaxQueries,
} from '../../application/ledger/queries.js';
import type { Span } from '../../application/ledger/contract.js';
import { Breakage, Margin, type MonthsQuery } from '../../application/ledger/reports/margin-contract.js';
import { DeferredMonth } from '../../application/ledger/reports/report-contract.js';
import { ReportQueries } from '../../application/ledger/reports/reports.js';
import { TieOuts } from '../../application/ledger/tie-outs/tie-outs.js';
import { SaleUnderReview } from '../../application/payouts/contract.js';
import { SalesUnderReviewQueries } from '../../application/payouts/queries.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import type { Tools } from '../tools.js';

type Print = (line: string) => void;
/** A missing value prints nothing. A value with a `text` prints that text. */
type Row = Record<string, string | number | boolean | { text: string } | null>;

interface Asked {
  user?: string | undefined;
  span?: Span;
  months?: MonthsQuery;
  asOf: Date;
}

const PAGE = 100;
const TIE_OUTS_SHOWN = 1_000;
const MICRO_USD = 'MicroUsd';

/** Output for people or programs: `json` is the API's answer, `csv` the same rows, `table` shows dollars. */
export const ListFormat = z.enum(['table', 'csv', 'json']);
export type ListFormat = z.infer<typeof ListFormat>;

interface List {
  columns: readonly string[];
  rows(tools: Tools, asked: Asked): Promise<readonly Row[]>;
}

async function everyPage(
  read: (asked: { limit: number; cursor?: string }) => Promise<{ items: Row[]; nextCursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: PAGE, ...(cursor && { cursor }) });
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return rows;
}

/** The lists of `/api/finance`, by their names on the command line. */
export const LISTS = {
  months: {
    columns: ['month', 'cashMicroUsd', 'deferredMicroUsd', 'creatorsMicroUsd'],
    rows: async ({ app, clock }) => (await app.get(MonthlyBookQueries).balances(clock.now())).items,
  },
  'credit-months': {
    columns: ['month', 'opening', 'granted', 'spent', 'returned', 'revoked', 'adjusted', 'closing'],
    rows: async ({ app, clock }, { user }) =>
      (await app.get(MonthlyBookQueries).rollforward(clock.now(), user)).items,
  },
  deferred: {
    columns: Object.keys(DeferredMonth.shape),
    rows: async ({ app, clock }, { months }) =>
      (await app.get(ReportQueries).deferred(clock.now(), months)).items,
  },
  margin: {
    columns: Object.keys(Margin.shape),
    rows: async ({ app }, { months = {} }) => (await app.get(ReportQueries).margin(months)).items,
  },
  'breakage-estimate': {
    columns: Object.keys(Breakage.shape),
    rows: async ({ app }, { asOf }) => (await app.get(ReportQueries).breakage(asOf)).items,
  },
  ageing: {
    columns: ['age', 'lots', 'paidMicroUsd', 'promotionalMicroUsd', 'totalMicroUsd'],
    rows: async ({ app }, { asOf }) => (await app.get(ReportQueries).ageing(asOf)).items,
  },
  periods: {
    columns: ['month', 'lastPosition', 'closedAt', 'closedBy', 'closedByName', 'totalDebitMicroUsd', 'hash'],
    rows: async ({ app }) => (await app.get(BookQueries).closedPeriods()).items,
  },
  'tie-outs': {
    columns: [
      'doneAt',
      'doneBy',
      'from',
      'to',
      'matched',
      'stripeMicroUsd',
      'booksMicroUsd',
      'onlyAtStripe',
      'onlyInBooks',
      'unexplainedMicroUsd',
      'position',
      'id',
    ],
    rows: ({ app }) => app.get(TieOuts).list(TIE_OUTS_SHOWN),
  },
  'open-items': {
    columns: [
      'account',
      'about',
      'since',
      'ageDays',
      'aged',
      'position',
      'amountMicroUsd',
      'currency',
      'amountMicro',
      'reason',
      'note',
      'requestId',
    ],
    rows: async ({ app, clock }) => (await app.get(OpenBookQueries).openItems(clock.now())).items,
  },
  tax: {
    columns: [
      'month',
      'country',
      'state',
      'sales',
      'soldMicroUsd',
      'returnedMicroUsd',
      'taxableMicroUsd',
      'reverseChargeMicroUsd',
      'collectedMicroUsd',
      'givenBackMicroUsd',
      'dueMicroUsd',
    ],
    rows: async ({ app }, { span = {} }) => (await app.get(TaxQueries).report(span)).items,
  },
  alerts: {
    columns: ['raisedAt', 'key', 'item', 'amountMicroUsd', 'position', 'text'],
    rows: ({ app }) => everyPage((asked) => app.get(AlertQueries).list(asked)),
  },
  'alert-causes': {
    columns: ['kind', 'month', 'count', 'amountMicroUsd', 'lastPosition', 'text'],
    rows: async ({ app }) => (await app.get(AlertQueries).list({ limit: 1 })).causes,
  },
  'late-facts': {
    columns: ['month', 'at', 'postedAt', 'position', 'fact', 'about', 'amountMicroUsd'],
    rows: ({ app }) => everyPage((asked) => app.get(OpenBookQueries).lateFacts(asked)),
  },
  'sales-under-review': {
    columns: Object.keys(SaleUnderReview.shape),
    rows: ({ app }) => everyPage((asked) => app.get(SalesUnderReviewQueries).list(asked)),
  },
} as const satisfies Record<string, List>;

export async function printList(
  tools: Tools,
  name: keyof typeof LISTS,
  { format, ...asked }: Asked & { format: ListFormat },
  print: Print,
): Promise<void> {
  const { columns, rows: read }: List = LISTS[name];
  const rows = await read(tools, asked);
  if (format === 'json') print(JSON.stringify({ items: rows }, null, 2));
  else if (format === 'csv') printCsv(columns, rows, print);
  else for (const line of tableOf(columns, rows)) print(line);
}

/** CSV requires CRLF: each line gets the carriage return, and `print` adds the line feed. */
export function printCsv(columns: readonly string[], rows: readonly Row[], print: Print): void {
  for (const cells of [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))])
    print(`${cells.map(csvCell).join(',')}\r`);
}

const cellOf = (value: Row[string] | undefined): string | number =>
  typeof value === 'number' ? value : typeof value === 'object' ? (value?.text ?? '') : String(value ?? '');

/** Returns lines with columns of minimal width and right-aligned numbers. */
function tableOf(columns: readonly string[], rows: readonly Row[]): string[] {
  if (rows.length === 0) return ['none'];
  const isMoney = (column: string) => column.endsWith(MICRO_USD);
  const texts = rows.map((row) =>
    columns.map((column) => {
      const value = cellOf(row[column]);
      return isMoney(column) ? decimalDollars(Number(value)) : String(value);
    }),
  );
  const heads = columns.map((column) => (isMoney(column) ? column.replace(MICRO_USD, '') : column));
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...texts.map((cells) => cells[index]?.length ?? 0)),
  );
  const isNumber = columns.map((column) => typeof rows[0]?.[column] === 'number');
  return [heads, ...texts].map((cells) =>
    cells
      .map((cell, index) =>
        isNumber[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
