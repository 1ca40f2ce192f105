import { decimalDollars, microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { csvCell } from '../shared/csv.js';
import type { Payout, Sale, Statement } from './contract.js';

type Row = (string | number | null)[];

const lineOf = (row: Row): string => `${row.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;

/** A table for spreadsheets: amounts without a sign, since a text that begins with one gets an apostrophe. */
const table = (header: string, rows: Row[]): string => `${header}\r\n${rows.map(lineOf).join('')}`;

const unsigned = (microUsd: number): string => decimalDollars(Math.abs(microUsd));

const centsAsDollars = (cents: number): string => unsigned(microUsdFromCents(cents)).slice(0, -4);

/** The lines of one payout; what was made up for has a column of its own. */
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

/** Every withdrawal, newest first. */
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

/** Sales in pieces, one a page. The buyer's name is not in it. */
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
