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
  it('[FIN-92] leads to what it is about', async () => {
    const alertOf = (kind: string, item = '') => ({
      key: kind,
      kind,
      text: `About ${kind}.`,
      item,
      raisedAt: '2026-11-20T12:00:00.000Z',
      position: 41,
    });
    const items = [
      alertOf('rule-broken', '14'),
      alertOf('suspense', 'dp_1'),
      alertOf('fact-set-aside', 'txn_1'),
    ];
    server.on('GET /api/finance/alerts', { json: { items: [...items, alertOf('inquiry', 'dp_2')] } });
    openBooks('/finance');
    const panel = within(await screen.findByRole('region', { name: '4 things to be looked at' }));
    expect(panel.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Every rule', '/finance/reconciliation'],
      ['Suspense', '/finance/suspense'],
      ['Explain it', '/finance/trace/txn_1'],
      ['Its event', '/finance/events?from=41'],
    ]);
  });

  it('[FIN-53] is told in words, and goes when somebody has seen it', async () => {
    const alert = {
      key: 'suspense-dp_1',
      kind: 'suspense',
      text: 'In suspense: -5.01 USD, more than is left of the payment.',
      item: 'dp_1',
      raisedAt: '2026-11-20T12:00:00.000Z',
      position: 41,
    };
    let items = [alert];
    server.on('GET /api/finance/alerts', () => ({ json: { items } }));
    server.on('POST /api/finance/alerts/suspense-dp_1/seen', () => {
      items = [];
      return { status: 204 };
    });
    openBooks('/finance');
    const panel = within(await screen.findByRole('region', { name: '1 thing to be looked at' }));
    expect(panel.getByText(/^In suspense: -5.01 USD/)).toBeTruthy();
    fireEvent.click(panel.getByRole('button', { name: `Seen: ${alert.text}` }));
    await waitFor(() => expect(screen.queryByText(/to be looked at/)).toBeNull());
  });

  it('[FIN-53] stays when that could not be said, and says so', async () => {
    const json = {
      items: [
        { key: 'k', kind: 'x', text: 'Look.', item: '', raisedAt: '2026-11-20T12:00:00Z', position: 1 },
      ],
    };
    server.on('GET /api/finance/alerts', { json });
    server.on('POST /api/finance/alerts/k/seen', broken);
    openBooks('/finance');
    fireEvent.click(await screen.findByRole('button', { name: 'Seen: Look.' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong on our side');
  });
});
