import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openBooks, startBooks } from './support/books.js';
import { leave } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startBooks()));
afterEach(leave);

const broken = refused('InternalError');

describe('what is to be looked at', () => {
  const causeOf = (kind: string, more: object = {}) => ({
    kind,
    month: '2026-11',
    count: 1,
    amountMicroUsd: null,
    text: `About ${kind}.`,
    item: '',
    position: 41,
    lastPosition: 41,
    ...more,
  });
  const list = (causes: object[], items: object[] = []) => ({ json: { items, nextCursor: null, causes } });

  it('[FIN-92] leads to what it is about', async () => {
    const causes = [
      causeOf('rule-broken', { item: '14' }),
      causeOf('suspense', { item: 'dp_1' }),
      causeOf('fact-set-aside', { item: 'txn_1' }),
      causeOf('inquiry', { item: 'dp_2' }),
    ];
    server.on('GET /api/finance/alerts', list(causes));
    openBooks('/finance');
    const panel = within(await screen.findByRole('region', { name: '4 things to be looked at' }));
    expect(panel.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Every rule', '/finance/reconciliation'],
      ['Suspense', '/finance/suspense'],
      ['Explain it', '/finance/trace/txn_1'],
      ['Its event', '/finance/events?from=41'],
    ]);
  });

  it('[FIN-53, FIN-463] is one line a cause and month, with count, amount and list, and goes when all were seen', async () => {
    const untaxed = causeOf('untaxed-sale', { count: 110, amountMicroUsd: 1_098_900_000, lastPosition: 900 });
    let causes = [untaxed];
    const item = {
      key: 'untaxed-sale-in_1',
      kind: 'untaxed-sale',
      text: 'Invoice in_1 was paid without tax.',
      item: 'in_1',
      amountMicroUsd: 9_990_000,
      raisedAt: '2026-11-20T12:00:00.000Z',
      position: 41,
    };
    server.on('GET /api/finance/alerts', ({ query }) => list(causes, query.get('kind') ? [item] : []));
    server.on('POST /api/finance/alerts/seen', () => {
      causes = [];
      return { status: 204 };
    });
    openBooks('/finance');
    const panel = within(await screen.findByRole('region', { name: '1 thing to be looked at' }));
    expect(panel.getByRole('listitem').textContent).toContain(
      '110 invoices were paid without tax1,098.90 USD',
    );
    fireEvent.click(panel.getByRole('button', { name: 'List them' }));
    expect(await panel.findByText(/Invoice in_1 was paid/)).toBeTruthy();
    fireEvent.click(panel.getByRole('button', { name: 'Seen: 110 invoices were paid without tax' }));
    await waitFor(() => expect(screen.queryByText(/to be looked at/)).toBeNull());
    expect(server.seen('POST /api/finance/alerts/seen')[0]?.body).toEqual({
      kind: 'untaxed-sale',
      month: '2026-11',
      lastPosition: 900,
    });
  });

  it('[FIN-53] stays when that could not be said, and says so', async () => {
    server.on('GET /api/finance/alerts', list([causeOf('x', { text: 'Look.' })]));
    server.on('POST /api/finance/alerts/seen', broken);
    openBooks('/finance');
    fireEvent.click(await screen.findByRole('button', { name: 'Seen: Look.' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong on our side');
  });
});
