import type { ExportFormat, Span } from './contract.js';
import { beancount } from './export/beancount.js';
import { csvCell } from '../shared/csv.js';
import { hledger } from './export/hledger.js';
import type { BookQueries, JournalLine } from './queries.js';

export function exportJournal(
  format: ExportFormat,
  books: Pick<BookQueries, 'lines' | 'accounts'>,
  span: Span,
): AsyncGenerator<string> {
  const pages = books.lines(span);
  switch (format) {
    case 'hledger':
      return hledger(pages, books.accounts(span));
    case 'beancount':
      return beancount(pages, books.accounts(span));
    case 'csv':
      return csv(pages);
    case 'json':
      return json(pages);
  }
}

export function journalName({ from, to }: Span): string {
  const days = [from, to].flatMap((date) => (date ? [date.toISOString().slice(0, 10)] : []));
  return ['journal', ...days].join('-');
}

const CSV_COLUMNS =
  'position,line,at,stream,event,fact,account,debit_micro_usd,credit_micro_usd,debit_credits,credit_credits,currency,debit_micro,credit_micro';

/** Debits and credits have separate columns, so that no cell with a number starts with a minus. */
async function* csv(pages: AsyncIterable<JournalLine[]>): AsyncGenerator<string> {
  yield `${CSV_COLUMNS}\r\n`;
  for await (const lines of pages) {
    yield lines
      .map(({ position, line, at, stream, type, fact, account, commodity, delta }) => {
        const sides = [Math.max(delta, 0), Math.max(-delta, 0)];
        const none = [0, 0];
        const amounts =
          commodity === 'usd'
            ? [...sides, ...none, '', ...none]
            : commodity === 'credits'
              ? [...none, ...sides, '', ...none]
              : [...none, ...none, commodity, ...sides];
        const cells = [position, line, at.toISOString(), stream, type, fact, account, ...amounts];
        return `${cells.map(csvCell).join(',')}\r\n`;
      })
      .join('');
  }
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
