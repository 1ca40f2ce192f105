import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { cellsOf, openBooks, startBooks, table } from './support/books.js';
import { leave } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startBooks()));
afterEach(leave);

const ID = 'ab'.repeat(32);
const open = (side: string, id: string, what: string, amountMicroUsd: number) => ({
  side,
  id,
  what,
  at: '2026-11-02T10:00:00.000Z',
  amountMicroUsd,
});
const kept = {
  id: ID,
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  matched: 12,
  stripeMicroUsd: 14_400_000,
  booksMicroUsd: 7_400_000,
  onlyAtStripe: 1,
  onlyInBooks: 300,
  unexplainedMicroUsd: 7_000_000,
  doneBy: 'ada',
  doneAt: '2026-12-01T09:00:00.000Z',
  position: 42,
  open: [open('stripe', 'txn_9', 'topup', 5_000_000), open('books', 'tr_1', 'transfer-created', -2_000_000)],
};

it('[FIN-96] a kept tie-out has a page with both lists of differences, who did it and whether it is as it was signed', async () => {
  server.on(`GET /api/finance/tie-outs/${ID}`, { json: kept });
  openBooks(`/finance/stripe/${ID}`);
  expect(await screen.findByRole('heading', { name: '1 Nov 2026 \u2013 30 Nov 2026' })).toBeTruthy();
  const rows = async (title: string) => {
    const [row] = within(await table(title))
      .getAllByRole('row')
      .slice(1);
    return cellsOf(row as HTMLElement);
  };
  expect(await rows('Only at Stripe')).toEqual(['topup', '2 Nov 2026, 10:00', '5.00']);
  expect(await rows('Only in our books')).toEqual(['transfer-created', '2 Nov 2026, 10:00', '\u22122.00']);
  expect(screen.getByText('The first 1 of 300 were kept')).toBeTruthy();
  expect(await screen.findByText('Ada Ray')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Explain txn_9' }).getAttribute('href')).toBe(
    '/finance/trace/txn_9',
  );
});

it('[FIN-96] says where there is none of that id', async () => {
  server.on(`GET /api/finance/tie-outs/${ID}`, refused('NotFound'));
  openBooks(`/finance/stripe/${ID}`);
  expect(await screen.findByText('No tie-out')).toBeTruthy();
});
