import { decimalDollars, microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { csvCell, csvOf } from '../shared/csv.js';
import type {
  EarningsMonth,
  EarningsYear,
  Payout,
  ReachedSample,
  Sale,
  SalesGroup,
  SoldGroup,
  Statement,
} from './contract.js';
import { totalsOf, YEAR_COLUMNS } from './earnings-years.js';

type Row = (string | number | null)[];

const lineOf = (row: Row): string => `${row.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;

/** Formats a CSV table. Amounts have no sign: csvCell would put an apostrophe before a text that begins with a sign. */
const table = (header: string, rows: Row[]): string => `${header}\r\n${rows.map(lineOf).join('')}`;

const unsigned = (microUsd: number): string => decimalDollars(Math.abs(microUsd));

const centsAsDollars = (cents: number): string => unsigned(microUsdFromCents(cents)).slice(0, -4);

export const statementCsv = ({ id, lines }: Statement): string =>
  table(
    'payout,kind,sold_at,purchase,sample,title,pack,credits,country,share_usd,paid_usd,deducted_usd,reversed_payout,reversal',
    lines.map(({ kind, soldAt, purchaseId, sampleId, shareMicroUsd, amountMicroUsd, ...line }) => [
      id,
      kind,
      soldAt,
      purchaseId,
      sampleId,
      line.sampleTitle,
      line.packTitle,
      line.creditsUsed,
      line.country,
      shareMicroUsd === null ? null : unsigned(shareMicroUsd),
      amountMicroUsd >= 0 ? unsigned(amountMicroUsd) : null,
      amountMicroUsd < 0 ? unsigned(amountMicroUsd) : null,
      line.reversedPayoutId,
      line.reversalId,
    ]),
  );

export const monthsCsv = (months: readonly EarningsMonth[]): string =>
  csvOf(
    [
      'month',
      'sales',
      'opening_usd',
      'earned_usd',
      'taken_back_usd',
      'withdrawn_usd',
      'written_off_usd',
      'closing_usd',
      'free_downloads',
    ],
    months.map(({ month, sales, ...amounts }) => [
      month,
      sales,
      { microUsd: amounts.openingMicroUsd },
      { microUsd: amounts.earnedMicroUsd },
      { microUsd: amounts.takenBackMicroUsd },
      { microUsd: amounts.withdrawnMicroUsd },
      { microUsd: amounts.writtenOffMicroUsd },
      { microUsd: amounts.closingMicroUsd },
      amounts.freeDownloads,
    ]),
  );

/** Formats a year with its totals in the last row. */
export const yearCsv = (year: EarningsYear): string =>
  csvOf(
    ['month', 'sales', 'returns', ...YEAR_COLUMNS.map(([name]) => `${snakeOf(name)}_usd`), 'free_downloads'],
    [...year.items, totalsOf(year)].map((month) => [
      month.month,
      month.sales,
      month.returns,
      ...YEAR_COLUMNS.map(([name]) => ({ microUsd: month[name] })),
      month.freeDownloads,
    ]),
  );

const snakeOf = (name: string): string =>
  name.replace(/MicroUsd$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const payoutsCsv = (payouts: readonly Payout[]): string =>
  table(
    'payout,requested_at,settled_at,status,amount_usd,returned_usd,transfer',
    payouts.map((payout) => [
      payout.id,
      payout.requestedAt,
      payout.settledAt,
      payout.status,
      centsAsDollars(payout.amountUsdCents),
      centsAsDollars(payout.reversedUsdCents),
      payout.transferId,
    ]),
  );

/** Yields the sales page by page, without the buyers' names. */
export async function* salesCsv(pages: AsyncIterable<readonly Sale[]>): AsyncGenerator<string> {
  yield table('sold_at,purchase,sample,title,pack,credits,country,share_usd,held_until', []);
  for await (const sales of pages)
    yield sales
      .map((sale) =>
        lineOf([
          sale.createdAt,
          sale.id,
          sale.sampleId,
          sale.sampleTitle,
          sale.packTitle,
          sale.creditsUsed,
          sale.country,
          unsigned(sale.amountMicroUsd),
          sale.heldUntil,
        ]),
      )
      .join('');
}

/** Yields the views, plays, saves and sales of each sample, page by page. */
export async function* reachCsv(pages: AsyncIterable<readonly ReachedSample[]>): AsyncGenerator<string> {
  yield table('sample,title,pack,views,plays,saves,sold', []);
  for await (const samples of pages)
    yield samples
      .map(({ id, title, pack, views, plays, saves, downloads }) =>
        lineOf([id, title, pack, views, plays, saves, downloads]),
      )
      .join('');
}

export async function* salesReportCsv(
  by: SalesGroup,
  pages: AsyncIterable<readonly SoldGroup[]>,
): AsyncGenerator<string> {
  yield table(
    `${by},title,pack,sold,credits,share_usd,sold_before,credits_before,share_usd_before,heard_by,saved_by`,
    [],
  );
  for await (const groups of pages)
    yield groups
      .map(({ id, title, pack, previous, ...group }) =>
        lineOf([
          id,
          title,
          pack,
          group.downloads,
          group.creditsUsed,
          unsigned(group.shareMicroUsd),
          previous && previous.downloads,
          previous && previous.creditsUsed,
          previous && unsigned(previous.shareMicroUsd),
          group.heardBy,
          group.savedBy,
        ]),
      )
      .join('');
}
