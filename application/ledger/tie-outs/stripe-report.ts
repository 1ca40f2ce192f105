import { MICRO_USD_PER_CENT } from '../../../domain/shared/micro-usd.js';
import type { ReportedTransaction } from '../../../domain/ledger/tie-out.js';

/** Thrown for a text that is not a report of balance transactions. The message names the faulty line. */
export class ReportUnreadable extends Error {}

const COLUMNS = {
  id: ['balance_transaction_id', 'id'],
  at: ['created_utc', 'created'],
  category: ['reporting_category', 'type'],
  gross: ['gross', 'amount'],
  net: ['net'],
} as const;
const REFERENCES = ['source_id', 'source', 'charge_id', 'invoice_id'];

/** Reads Stripe's itemised report by column names. Amounts are dollars with two places. @throws ReportUnreadable */
export function readStripeReport(text: string): ReportedTransaction[] {
  const [header, ...rows] = parseCsv(text.replace(/^\uFEFF/, ''));
  const names = (header ?? []).map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(' ', '_')
      .replace(/_\(utc\)$/, '_utc'),
  );
  const indexOf = (wanted: readonly string[]): number => {
    const index = names.findIndex((name) => wanted.includes(name));
    if (index < 0) throw new ReportUnreadable(`There is no column ${wanted[0]}.`);
    return index;
  };
  const at = Object.fromEntries(
    Object.entries(COLUMNS).map(([column, wanted]) => [column, indexOf(wanted)]),
  ) as Record<keyof typeof COLUMNS, number>;
  const references = names.flatMap((name, index) => (REFERENCES.includes(name) ? [index] : []));
  const currency = names.indexOf('currency');
  return rows.map((row, index) => {
    const line = index + 2;
    const cell = (column: number): string => row[column]?.trim() ?? '';
    const transactionId = cell(at.id);
    if (!/^txn_\w+$/.test(transactionId)) throw new ReportUnreadable(`Line ${line} has no txn_ id.`);
    if (currency >= 0 && cell(currency).toLowerCase() !== 'usd')
      throw new ReportUnreadable(`Line ${line} is not in US dollars.`);
    return {
      transactionId,
      at: timeIn(cell(at.at), line),
      category: cell(at.category),
      grossMicroUsd: dollarsIn(cell(at.gross), line),
      netMicroUsd: dollarsIn(cell(at.net), line),
      references: references.map(cell).filter((reference) => reference !== ''),
    };
  });
}

function timeIn(text: string, line: number): Date {
  // A time without a zone, such as `2026-11-20 12:00:00`, is in UTC.
  const time = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(time.getTime())) throw new ReportUnreadable(`Line ${line} has no time.`);
  return time;
}

function dollarsIn(text: string, line: number): number {
  const found = /^(-?)(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text);
  if (!found) throw new ReportUnreadable(`Line ${line} has an amount that is none: ${text.slice(0, 20)}`);
  const [, sign, dollars, cents = ''] = found;
  const amount = (Number(dollars) * 100 + Number(cents.padEnd(2, '0'))) * MICRO_USD_PER_CENT;
  return sign && amount > 0 ? -amount : amount;
}

/** Parses RFC 4180: quoted cells may contain commas, quotes and line breaks. Skips empty lines. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
  }
  return rows;
}
