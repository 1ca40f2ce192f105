import { expect, it } from '@jest/globals';
import { beancountAccount, exportJournal } from '../../application/ledger/export.js';
import type { JournalLine } from '../../application/ledger/queries.js';
import { runHistory } from './model/history.js';
import { addedByBeancount, addedByHledger, itWith } from '../support/plain-text-accounting.js';

const STEPS = 400;

/** Returns the books of a long history as the database would. */
function history() {
  const { log, books } = runHistory('re-adding', STEPS, new Map()).company;
  const lines = log.flatMap(({ position, stream, type, at, entry }): JournalLine[] =>
    (entry?.postings ?? []).map((posting, line) => ({
      position,
      line,
      at: new Date(at),
      fact: entry?.fact ?? '',
      stream,
      type,
      ...posting,
    })),
  );
  async function* of<Each>(all: Each[]) {
    for (let from = 0; from < all.length; from += 500) yield all.slice(from, from + 500);
  }
  const names = [...new Set(lines.map(({ account }) => account))].sort();
  const exported = async (format: 'hledger' | 'beancount'): Promise<string> => {
    let text = '';
    for await (const part of exportJournal(format, { lines: () => of(lines), accounts: () => of(names) }, {}))
      text += part;
    return text;
  };
  const balances = [...books].filter(([, balance]) => balance !== 0);
  return { exported, balances };
}

const without0 = (sums: ReadonlyMap<string, number>) =>
  Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));

itWith('hledger')(
  '[FIN-20, FIN-80, SPLIT-701, PRICE-706, SELL-727] hledger finds nothing wrong, strictly, and the same balances',
  async () => {
    const { exported, balances } = history();
    expect(balances.length).toBeGreaterThan(20);
    expect(without0(addedByHledger(await exported('hledger')))).toEqual(Object.fromEntries(balances));
  },
);

itWith('bean-check')(
  '[FIN-20, FIN-80, SPLIT-701, PRICE-706, SELL-727] beancount finds nothing wrong, and the same balances',
  async () => {
    const { exported, balances } = history();
    const named = balances.map(([account, balance]) => [beancountAccount(account), balance]);
    expect(without0(addedByBeancount(await exported('beancount')))).toEqual(Object.fromEntries(named));
  },
);

it.each([
  ['stripe:balance', 'Assets:Stripe:Balance'],
  ['stripe:balance:eur', 'Assets:Stripe:Balance:Xeur'],
  ['payouts-in-transit', 'Liabilities:Payouts-in-transit'],
  ['deferred:il_1.2', 'Liabilities:Deferred:Xil-u-1-x2e-2'],
  ['deferred:il-u-1', 'Liabilities:Deferred:Xil-x2d-u-1'],
  ['user:Xena', 'Equity:User:XXena'],
  ['user:9f-a', 'Equity:User:9f-a'],
  ['issued', 'Equity:Issued'],
])('[FIN-80] %s is %s in beancount', (account, name) => expect(beancountAccount(account)).toBe(name));
