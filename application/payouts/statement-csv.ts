import { decimalDollars, microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { csvCell } from '../ledger/export.js';
import type { Payout, Statement } from './contract.js';

/** A table for spreadsheets: amounts without a sign, since a text that begins with one gets an apostrophe. */
const table = (header: string, rows: (string | number | null)[][]): string =>
  [header, ...rows.map((row) => row.map((cell) => csvCell(cell ?? '')).join(','))].join('\r\n') + '\r\n';

const unsigned = (microUsd: number): string => decimalDollars(Math.abs(microUsd));

const centsAsDollars = (cents: number): string => unsigned(microUsdFromCents(cents)).slice(0, -4);

/** The lines of one payout; what was made up for has a column of its own. */
export const statementCsv = ({ id, lines }: Statement): string =>
  table(
    'payout,kind,sold_at,purchase,sample,title,pack,credits,share_usd,paid_usd,deducted_usd',
    lines.map(({ kind, soldAt, purchaseId, sampleId, shareMicroUsd, amountMicroUsd, ...line }) => [
      id,
      kind,
      soldAt,
      purchaseId,
      sampleId,
      line.sampleTitle,
      line.packTitle,
      line.creditsUsed,
      shareMicroUsd === null ? null : unsigned(shareMicroUsd),
      amountMicroUsd >= 0 ? unsigned(amountMicroUsd) : null,
      amountMicroUsd < 0 ? unsigned(amountMicroUsd) : null,
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
