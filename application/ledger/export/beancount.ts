import { chartedAccount } from '../../../domain/ledger/accounts.js';
import { decimalDollars } from '../../../domain/shared/micro-usd.js';
import type { JournalLine } from '../queries.js';

const ROOTS = {
  asset: 'Assets',
  liability: 'Liabilities',
  equity: 'Equity',
  income: 'Income',
  expense: 'Expenses',
  credits: 'Equity',
} as const;

/** Lines are in log order, so the first one need not have the earliest date. */
const OPENED = '1970-01-01';

/** Yields the journal in beancount's syntax, with dollars to six decimal places, and credits. */
export async function* beancount(
  pages: AsyncIterable<JournalLine[]>,
  accounts: AsyncIterable<string[]>,
): AsyncGenerator<string> {
  yield 'option "title" "Offcut"\noption "operating_currency" "USD"\n\n';
  for await (const names of accounts)
    yield names.map((name) => `${OPENED} open ${beancountAccount(name)}\n`).join('');
  let open: number | undefined;
  for await (const lines of pages) {
    let text = '';
    for (const { position, at, fact, stream, type, account, commodity, delta } of lines) {
      if (position !== open)
        text += `\n${at.toISOString().slice(0, 10)} * ${quoted(fact)} ${quoted(stream)}\n  position: ${position}\n  event: ${quoted(type)}\n`;
      open = position;
      const amount =
        commodity === 'credits' ? `${delta} CREDITS` : `${decimalDollars(delta)} ${commodity.toUpperCase()}`;
      text += `  ${beancountAccount(account)}  ${amount}\n`;
    }
    yield text;
  }
}

const quoted = (text: string): string =>
  `"${text.replaceAll(/\s+/g, ' ').replaceAll(/["\\]/g, (each) => `\\${each}`)}"`;

/** Returns the account in beancount's syntax: `Liabilities:Deferred:Xin-u-1` is `deferred:in_1`. Names stay unique. */
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

/** A part starts with a capital letter or a digit, and contains only letters, digits and hyphens. */
function lawful(id: string): string {
  const escaped = id
    .replaceAll(/-(?=u-|x[0-9a-f]+-)/g, '-x2d-')
    .replaceAll('_', '-u-')
    .replaceAll(/[^A-Za-z0-9-]/g, (each) => `-x${each.codePointAt(0)?.toString(16)}-`);
  return /^[A-WYZ0-9]/.test(escaped) ? escaped : `X${escaped}`;
}
