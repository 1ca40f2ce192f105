import { MICRO_USD_PER_CENT, decimalDollars } from '../../../domain/shared/micro-usd.js';
import { csvCell } from '../../shared/csv.js';

/** Debits are positive, credits negative. */
export interface SummaryLine {
  name: string;
  code: string;
  cents: number;
  about: string;
}

export interface JournalEntry {
  number: string;
  /** The last day of the month. */
  date: string;
  narration: string;
  lines: readonly SummaryLine[];
}

/** Formats cents as dollars. Not escaped with `csvCell`, which would put an apostrophe before a minus. */
const amount = (cents: number): string => decimalDollars(cents * MICRO_USD_PER_CENT).slice(0, -4);

const csv = (heads: string, rows: readonly string[][]): string =>
  `${[heads, ...rows.map((cells) => cells.join(','))].join('\r\n')}\r\n`;

export function quickBooks({ number, date, narration, lines }: JournalEntry): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return csv(
    'JournalNo,JournalDate,AccountName,Debits,Credits,Description',
    lines.map(({ name, cents, about }) => [
      csvCell(number),
      `${month}/${day}/${year}`,
      csvCell(name),
      cents > 0 ? amount(cents) : '',
      cents < 0 ? amount(-cents) : '',
      csvCell(`${narration} ${about}`),
    ]),
  );
}

/** The format in which Xero imports manual journals. A month has far fewer lines than Xero's limit of 300. */
export function xero({ number, date, narration, lines }: JournalEntry): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return csv(
    '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount',
    lines.map(({ code, cents, about }) => [
      csvCell(`${narration} (${number})`),
      `${day}/${month}/${year}`,
      csvCell(about),
      csvCell(code),
      'Tax Exempt',
      amount(cents),
    ]),
  );
}
