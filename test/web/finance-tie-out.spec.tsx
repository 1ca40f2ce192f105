import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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
  open: [
    open('stripe', 'txn_9', 'topup', 5_000_000),
    { ...open('stripe', 'txn_8', 'topup', 0), foreign: { currency: 'eur', amountMicro: 2_500_000 } },
    open('books', 'tr_1', 'transfer-created', -2_000_000),
  ],
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
  expect(await rows('Only in our books')).toEqual(['transfer created', '2 Nov 2026, 10:00', '\u22122.00']);
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

it('[BOOK-801] an amount in another currency is shown in its currency and added to no dollars', async () => {
  server.on(`GET /api/finance/tie-outs/${ID}`, { json: kept });
  openBooks(`/finance/stripe/${ID}`);
  const rows = within(await table('Only at Stripe'))
    .getAllByRole('row')
    .slice(1)
    .map(cellsOf);
  expect(rows.map((cells) => cells.at(-1))).toEqual(['5.00', '2.50 EUR', '5.00']);
});

const night = {
  comparedTo: null,
  comparedAt: null,
  isWaiting: false,
  nextAt: '2026-12-02T03:00:00.000Z',
  problem: null,
};
it.each([
  [{ isWaiting: true }, 'No report was fetched from Stripe yet. Stripe is making the next one.'],
  [
    { comparedTo: kept.to, comparedAt: kept.doneAt },
    'The report was fetched from Stripe on 1 Dec 2026, 09:00 UTC, to the end of 30 Nov 2026. The next fetch is after 2 Dec 2026, 03:00 UTC.',
  ],
  [
    { problem: 'Stripe gives no reason.' },
    'Stripe gives no reason. The next attempt is after 2 Dec 2026, 03:00 UTC. You can also upload the CSV.',
  ],
])('[BOOK-802] the page says how far the nightly fetch is: %j', async (fetch, text) => {
  server.on('GET /api/finance/tie-outs', { json: { items: [], fetch: { ...night, ...fetch } } });
  openBooks('/finance/stripe');
  expect(await screen.findByText(text)).toBeTruthy();
});

it('[BOOK-803] finance sets the amount below which findings raise no alert, and sees who set it', async () => {
  const user = userEvent.setup();
  openBooks('/finance/suspense');
  await screen.findByText(/^Every finding raises an alert\./);
  await user.click(screen.getByRole('button', { name: 'Change the amount for alerts' }));
  const amount = await screen.findByLabelText('Amount in USD');
  const send = screen.getByRole('button', { name: 'Set the amount' });
  await user.clear(amount);
  await user.type(amount, '1000.01');
  await user.click(send);
  expect(await screen.findByText('An amount from 0.00 to 1000.00')).toBeTruthy();
  const level = { amountMicroUsd: 4_500_000, by: 'ada', at: '2026-11-02T10:00:00.000Z' };
  server.on('PUT /api/finance/materiality', { json: level });
  server.on('GET /api/finance/materiality', { json: level });
  await user.clear(amount);
  await user.type(amount, '4.50');
  await user.dblClick(send);
  expect((await screen.findByText(/are listed and raise no alert/)).textContent).toBe(
    'Findings below 4.50 USD are listed and raise no alert. Set by Ada Ray, 2 Nov 2026. Change',
  );
  expect(server.seen('PUT /api/finance/materiality').map(({ body }) => body)).toEqual([
    { amountMicroUsd: 4_500_000 },
  ]);
});
