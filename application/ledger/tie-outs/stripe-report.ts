import { digitsOf, microOf } from '../../../domain/shared/micro-usd.js';
import type { ReportedTransaction } from '../../../domain/ledger/tie-out.js';

/**
 * Thrown for a text that is not a report of balance transactions. The message names the faulty line or the missing
 * column.
 */
export class ReportUnreadable extends Error {}

const COLUMNS = {
  id: ['balance_transaction_id', 'id'],
  at: ['created_utc', 'created', 'effective_at_utc'],
  category: ['reporting_category', 'type'],
  gross: ['gross', 'amount'],
  net: ['net'],
} as const;
const REFERENCES = ['source_id', 'source', 'charge_id', 'invoice_id', 'payout_id'];

/**
 * Reads Stripe's itemised report by column names. Without a currency column, amounts are
 * dollars. @throws ReportUnreadable
 */
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
  const currencyAt = names.indexOf('currency');
  return rows.map((row, index) => {
    const line = index + 2;
    const cell = (column: number): string => row[column]?.trim() ?? '';
    const transactionId = cell(at.id);
    if (!/^txn_\w+$/.test(transactionId)) throw new ReportUnreadable(`Line ${line} has no txn_ id.`);
    const currency = currencyAt < 0 ? 'usd' : cell(currencyAt).toLowerCase();
    if (!/^[a-z]{3}$/.test(currency)) throw new ReportUnreadable(`Line ${line} has no currency.`);
    return {
      transactionId,
      at: timeIn(cell(at.at), line),
      category: cell(at.category),
      currency,
      grossMicroUsd: microIn(cell(at.gross), currency, line),
      netMicroUsd: microIn(cell(at.net), currency, line),
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

function microIn(text: string, currency: string, line: number): number {
  const digits = digitsOf(currency);
  const [, sign, whole = '', places = ''] = /^(-?)(\d{1,10})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === '' || places.length > digits)
    throw new ReportUnreadable(`Line ${line} has an amount that is none: ${text.slice(0, 20)}`);
  const amount = microOf(Number(whole + places.padEnd(digits, '0')), currency);
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
