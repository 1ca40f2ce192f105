import { CHART, chartedAccount } from '../../../domain/ledger/accounts.js';
import { decimalDollars } from '../../../domain/shared/micro-usd.js';
import type { JournalLine } from '../queries.js';

const TYPES = { asset: 'A', liability: 'L', equity: 'E', income: 'R', expense: 'X', credits: 'E' } as const;

/** Declares accounts and commodities before their first use, so that `hledger check --strict` succeeds. */
export async function* hledger(
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
  let open: number | undefined;
  for await (const lines of pages) {
    let text = '';
    for (const { position, at, fact, stream, type, account, commodity, delta } of lines) {
      if (position !== open)
        text += `${open === undefined ? '' : '\n'}${at.toISOString().slice(0, 10)} * (${position}) ${plain(`${fact} ${stream}`)}  ; event:${type}\n`;
      open = position;
      const amount =
        commodity === 'credits' ? `${delta} CR` : `${decimalDollars(delta)} ${commodity.toUpperCase()}`;
      text += `    ${plain(account)}  ${amount}\n`;
    }
    yield text;
  }
}

/** In hledger two spaces end a name, and a semicolon or line break starts another element. */
const plain = (text: string): string => text.replaceAll(/[\s;|]+/g, ' ').trim();
