import { CHART, chartedAccount } from '../../domain/ledger/accounts.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import { csvCell } from '../shared/csv.js';
import type { ExportFormat, Span } from './contract.js';
import type { BookQueries, JournalLine } from './queries.js';

export const EXPORT_TYPES = {
  hledger: { contentType: 'text/plain; charset=utf-8', extension: 'journal' },
  beancount: { contentType: 'text/plain; charset=utf-8', extension: 'beancount' },
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv' },
  json: { contentType: 'application/json; charset=utf-8', extension: 'json' },
} as const satisfies Record<ExportFormat, { contentType: string; extension: string }>;

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

/** Debits and credits have separate columns, because `csvCell` would escape a number that starts with a minus. */
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

/**
 * Yields each journal entry as text: its heading, then its lines. Amounts of money have six decimal places, credits
 * none.
 */
async function* entries(
  pages: AsyncIterable<JournalLine[]>,
  inCredits: string,
  head: (first: JournalLine, isFirst: boolean) => string,
  lineOf: (account: string, amount: string) => string,
): AsyncGenerator<string> {
  let open: number | undefined;
  for await (const lines of pages) {
    let text = '';
    for (const line of lines) {
      const { position, account, commodity, delta } = line;
      if (position !== open) text += head(line, open === undefined);
      open = position;
      const amount =
        commodity === 'credits'
          ? `${delta} ${inCredits}`
          : `${decimalDollars(delta)} ${commodity.toUpperCase()}`;
      text += `${lineOf(account, amount)}\n`;
    }
    yield text;
  }
}

const dayOf = ({ at }: JournalLine): string => at.toISOString().slice(0, 10);

const ROOTS = {
  asset: 'Assets',
  liability: 'Liabilities',
  equity: 'Equity',
  income: 'Income',
  expense: 'Expenses',
  credits: 'Equity',
} as const;

/** All beancount accounts open on this early day, because the first line need not have the earliest date. */
const OPENED = '1970-01-01';

/** Yields the journal in beancount's syntax. */
async function* beancount(
  pages: AsyncIterable<JournalLine[]>,
  accounts: AsyncIterable<string[]>,
): AsyncGenerator<string> {
  yield 'option "title" "Offcut"\noption "operating_currency" "USD"\n\n';
  for await (const names of accounts)
    yield names.map((name) => `${OPENED} open ${beancountAccount(name)}\n`).join('');
  yield* entries(
    pages,
    'CREDITS',
    (line) =>
      `\n${dayOf(line)} * ${quoted(line.fact)} ${quoted(line.stream)}\n  position: ${line.position}\n  event: ${quoted(line.type)}\n`,
    (account, amount) => `  ${beancountAccount(account)}  ${amount}`,
  );
}

const quoted = (text: string): string =>
  `"${text.replaceAll(/\s+/g, ' ').replaceAll(/["\\]/g, (each) => `\\${each}`)}"`;

/** Returns a unique account name in beancount's syntax: `Liabilities:Deferred:Xin-u-1` for `deferred:in_1`. */
export function beancountAccount(account: string): string {
  const { group, kind } = chartedAccount(account) ?? { group: undefined, kind: 'asset' as const };
  const fixed = group?.replace(':*', '');
  const charted = fixed !== undefined && (account === fixed || account.startsWith(`${fixed}:`));
  const id = charted ? account.slice(fixed.length + 1) : account;
  return [
    ROOTS[kind],
    ...(charted ? fixed.split(':').map((part) => part.charAt(0).toUpperCase() + part.slice(1)) : []),
    ...(id === '' ? [] : [lawful(id)]),
  ].join(':');
}

/** Escapes an id as a part of a beancount account name, which allows only letters, digits and hyphens. */
function lawful(id: string): string {
  const escaped = id
    .replaceAll(/-(?=u-|x[0-9a-f]+-)/g, '-x2d-')
    .replaceAll('_', '-u-')
    .replaceAll(/[^A-Za-z0-9-]/g, (each) => `-x${each.codePointAt(0)?.toString(16)}-`);
  return /^[A-WYZ0-9]/.test(escaped) ? escaped : `X${escaped}`;
}

const TYPES = { asset: 'A', liability: 'L', equity: 'E', income: 'R', expense: 'X', credits: 'E' } as const;

/** Declares accounts and commodities before their first use, so that `hledger check --strict` succeeds. */
async function* hledger(
  pages: AsyncIterable<JournalLine[]>,
  accounts: AsyncIterable<string[]>,
): AsyncGenerator<string> {
  const parents = new Map(CHART.map(({ name, kind }) => [name.replace(':*', ''), TYPES[kind]]));
  yield 'commodity 1000.000000 USD\ncommodity 1000. CR\n\n';
  yield [...parents].map(([name, type]) => `account ${name}  ; type:${type}\n`).join('');
  const currencies = new Set<string>();
  for await (const names of accounts) {
    const others = names.filter((name) => !parents.has(name));
    for (const name of others) currencies.add(chartedAccount(name)?.commodity ?? 'usd');
    yield others.map((name) => `account ${plain(name)}\n`).join('');
  }
  for (const currency of [...currencies].sort())
    if (currency !== 'usd' && currency !== 'credits')
      yield `commodity 1000.000000 ${currency.toUpperCase()}\n`;
  yield '\n';
  yield* entries(
    pages,
    'CR',
    (line, isFirst) =>
      `${isFirst ? '' : '\n'}${dayOf(line)} * (${line.position}) ${plain(`${line.fact} ${line.stream}`)}  ; event:${line.type}\n`,
    (account, amount) => `    ${plain(account)}  ${amount}`,
  );
}

/** Replaces the characters that would end a name in an hledger file. */
const plain = (text: string): string => text.replaceAll(/[\s;|]+/g, ' ').trim();
