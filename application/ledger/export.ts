import { CHART } from '../../domain/ledger/accounts.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import type { ExportFormat } from './contract.js';
import type { JournalLine } from './queries.js';

export const EXPORT_TYPES = {
  hledger: { contentType: 'text/plain; charset=utf-8', extension: 'journal' },
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv' },
  json: { contentType: 'application/json; charset=utf-8', extension: 'json' },
} as const satisfies Record<ExportFormat, { contentType: string; extension: string }>;

/** The journal as text in pieces, one a page of lines. */
export function exportJournal(
  format: ExportFormat,
  pages: AsyncIterable<JournalLine[]>,
): AsyncGenerator<string> {
  switch (format) {
    case 'hledger':
      return hledger(pages);
    case 'csv':
      return csv(pages);
    case 'json':
      return json(pages);
  }
}

/** hledger's own letters for kinds of accounts. */
const HLEDGER_TYPES = { asset: 'A', liability: 'L', income: 'R', expense: 'X', credits: 'E' } as const;

/** Plain-text accounting: dollars to six places and credits, as hledger, ledger and beancount users read it. */
async function* hledger(pages: AsyncIterable<JournalLine[]>): AsyncGenerator<string> {
  const parents = new Map(CHART.map(({ name, kind }) => [name.replace(':*', ''), HLEDGER_TYPES[kind]]));
  yield 'commodity 1000.000000 USD\ncommodity 1000. CR\n\n';
  yield [...parents].map(([name, type]) => `account ${name}  ; type:${type}\n`).join('') + '\n';
  let open: number | undefined;
  for await (const lines of pages) {
    let text = '';
    for (const { position, at, fact, stream, type, account, commodity, delta } of lines) {
      if (position !== open)
        text += `${open === undefined ? '' : '\n'}${at.toISOString().slice(0, 10)} * (${position}) ${plain(`${fact} ${stream}`)}  ; event:${type}\n`;
      open = position;
      text += `    ${plain(account)}  ${commodity === 'usd' ? `${decimalDollars(delta)} USD` : `${delta} CR`}\n`;
    }
    yield text;
  }
}

/** In hledger two spaces end a name, and a semicolon or a line break starts something else. */
const plain = (text: string): string => text.replaceAll(/[\s;|]+/g, ' ').trim();

const CSV_COLUMNS =
  'position,line,at,stream,event,fact,account,debit_micro_usd,credit_micro_usd,debit_credits,credit_credits';

/** Debits and credits in columns of their own, so that no cell with a number starts with a minus. */
async function* csv(pages: AsyncIterable<JournalLine[]>): AsyncGenerator<string> {
  yield `${CSV_COLUMNS}\r\n`;
  for await (const lines of pages) {
    yield lines
      .map(({ position, line, at, stream, type, fact, account, commodity, delta }) => {
        const sides = [Math.max(delta, 0), Math.max(-delta, 0)];
        const none = [0, 0];
        const amounts = commodity === 'usd' ? [...sides, ...none] : [...none, ...sides];
        const cells = [position, line, at.toISOString(), stream, type, fact, account, ...amounts];
        return `${cells.map(csvCell).join(',')}\r\n`;
      })
      .join('');
  }
}

/** Quoted if CSV needs it; a text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[\s]*[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

async function* json(pages: AsyncIterable<JournalLine[]>): AsyncGenerator<string> {
  yield '{"lines":[';
  let first = true;
  for await (const lines of pages) {
    yield lines.map((line, index) => `${first && index === 0 ? '' : ','}\n${JSON.stringify(line)}`).join('');
    first = false;
  }
  yield '\n]}\n';
}
