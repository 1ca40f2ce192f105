import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { placed } from '../../web/src/screens/finance/trace/trace-card.js';
import type { Trace, TraceCard } from '../../web/src/api/finance.js';
import { openBooks, startBooks, table } from './support/books.js';
import { leave } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startBooks()));
afterEach(leave);

const card = (key: string, kind: TraceCard['kind'], amountMicroUsd: number, from: string[]): TraceCard => ({
  key,
  kind,
  title: kind.charAt(0).toUpperCase() + kind.slice(1),
  id: `${key}_id`,
  href: `/finance/trace/${key}_id`,
  at: '2026-11-21T16:08:00.000Z',
  amountMicroUsd,
  sum: { text: 'a − b', microUsd: amountMicroUsd },
  part: {
    fromMicroUsd: 0,
    toMicroUsd: amountMicroUsd,
    ofMicroUsd: 2 * amountMicroUsd,
    text: `Half of ${key}`,
  },
  facts: [{ label: 'State', text: 'paid' }],
  rounding: 'none',
  from,
  postings: [
    { position: 7, type: 'SamplePurchased', account: 'royalties', does: 'Share', commodity: 'usd', delta: 5 },
    {
      position: 7,
      type: 'SamplePurchased',
      account: 'creator:teo',
      does: 'Owed',
      commodity: 'usd',
      delta: -5,
    },
    { position: 7, type: 'SamplePurchased', account: 'spent', does: 'Spent', commodity: 'credits', delta: 3 },
  ],
  positions: [7],
});
const CARDS = [
  card('sale', 'sale', 239_880, ['one', 'two']),
  card('one', 'segment', 200_000, ['lot']),
  card('two', 'segment', 199_800, ['unpaid']),
  card('lot', 'lot', 19_990_000, []),
  card('unpaid', 'unpaid', 199_800, []),
];
const TRACE: Trace = {
  id: 'p1',
  note: 'Each card comes from the next one.',
  crumbs: [
    { label: 'Overview', href: '/finance' },
    { label: 'Sale', href: null },
  ],
  selected: 'sale',
  cards: CARDS,
  line: null,
  outcomes: [],
  outcomeCount: 0,
  nextAfter: null,
  proof: {
    events: [{ position: 7, hash: 'ab'.repeat(32), verified: true }],
    head: { signedAt: '2026-11-20T14:00:00.000Z', position: 6 },
    checkedAt: '2026-11-21T16:08:00.000Z',
  },
};

it('[FIN-75] puts what a sale was paid from side by side, each card at the right of what comes from it', () => {
  expect(placed(CARDS).map(({ card: { key }, column, level }) => [key, column, level])).toEqual([
    ['sale', 0, 0],
    ['one', 1, 0],
    ['two', 1, 1],
    ['lot', 2, 0],
    ['unpaid', 2, 1],
  ]);
});

it('[FIN-75] shows the postings of the chosen card and their proof, and moves by arrows', async () => {
  server.on('GET /api/finance/trace/p1', { json: TRACE });
  openBooks('/finance/trace/p1');
  const cards = within(await screen.findByRole('list', { name: 'The way of the money' }));
  expect(cards.getByRole('img', { name: 'Tape: Half of lot' })).toBeTruthy();
  const postings = await table('Postings of the sale');
  expect(within(postings).getAllByRole('row')).toHaveLength(4);
  expect(screen.getByText('1 event, 2 postings, 3 credits with them')).toBeTruthy();
  expect(screen.getByText('Hash verified')).toBeTruthy();
  // The head was signed before the event arrived.
  expect(screen.getByText('Not yet signed')).toBeTruthy();
  fireEvent.keyDown(cards.getByRole('button', { name: 'Sale' }), { key: 'ArrowRight' });
  await table('Postings of the segment');
  expect(document.activeElement).toBe(cards.getAllByRole('button', { name: 'Segment' })[0]);
  fireEvent.click(screen.getByRole('button', { name: 'Check it yourself' }));
  expect(screen.getByRole('button', { name: /offcut -- finance trace p1/ })).toBeTruthy();
});

it('[FIN-75] says where a sum does not tie or an event is not what was hashed, and what the books do not have', async () => {
  const wrong = { ...(CARDS[0] as TraceCard), sum: { text: 'a − b', microUsd: 1_000_000 } };
  const proof = { ...TRACE.proof, events: [{ position: 7, hash: 'ab'.repeat(32), verified: false }] };
  server.on('GET /api/finance/trace/p1', { json: { ...TRACE, cards: [wrong, ...CARDS.slice(1)], proof } });
  openBooks('/finance/trace/p1');
  expect((await screen.findByText('sums to 1.00')).className).toContain('danger');
  expect(screen.getByText('Not what was hashed')).toBeTruthy();
  cleanup();
  server.on('GET /api/finance/trace/p2', refused('NotFound'));
  openBooks('/finance/trace/p2');
  expect(await screen.findByText('Nothing in the books has the id p2.')).toBeTruthy();
});
