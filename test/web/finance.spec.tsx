import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Money } from '../../web/src/staff/list/column.js';
import { signOut } from '../../web/src/session/session.js';
import { books, openBooks, startBooks } from './support/books.js';
import { NOOR, leave, signedInAs } from './support/render.js';
import { type StubServer, exampleWith, refused } from './support/server.js';

let server: StubServer;

beforeEach(() => void (server = startBooks()));
afterEach(leave);

describe('the books', () => {
  it('[ROLE-04] are for people with the role', async () => {
    signedInAs({ ...NOOR, roles: ['admin'] });
    openBooks();
    await screen.findByText('Not for this account');
    expect(server.seen('GET /api/finance/trial-balance')).toHaveLength(0);
    cleanup();
    await signOut();
    const { path } = openBooks('/finance/events?type=CreditsSpent');
    await userEvent.click(await screen.findByRole('link', { name: 'Sign In' }));
    expect(path()).toBe('/auth?returnTo=%2Ffinance%2Fevents%3Ftype%3DCreditsSpent');
  });

  it('[WEB-76] say which balance is on the wrong side of its kind', async () => {
    const account = (name: string, kind: string, debitMicroUsd: number, creditMicroUsd: number) => ({
      account: name,
      kind,
      accounts: 1,
      position: 12,
      debitMicroUsd,
      creditMicroUsd,
    });
    server.on('GET /api/finance/trial-balance', {
      json: {
        asOf: '2026-11-20T12:00:00.000Z',
        position: 12,
        accounts: [
          account('stripe:balance', 'asset', 0, 3_000_000),
          account('bank', 'asset', 5_000_000, 0),
          account('tax', 'liability', 500_000, 0),
          account('suspense', 'liability', 500_000, 0),
          account('refunds', 'income', 1_000_000, 0),
          account('royalties', 'expense', 0, 0),
        ],
        totals: { debitMicroUsd: 7_000_000, creditMicroUsd: 3_000_000 },
        credits: { accounts: [], totals: { debitCredits: 0, creditCredits: 0 } },
        otherCurrencies: [],
      },
    });
    openBooks();
    const wrong = await screen.findAllByText('on the wrong side');
    expect(wrong.map((badge) => badge.closest('tr')?.querySelector('a')?.textContent)).toEqual([
      'Stripe balance',
      'Sales tax, place unknown',
    ]);
  });

  it('[FIN-15] show the trial balance by kind, with zeros and a total that balances', async () => {
    openBooks();
    const table = (await screen.findAllByRole('table'))[0] as HTMLElement;
    const cells = (name: string) =>
      within(within(table).getByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent);
    expect(cells('Stripe balance')).toEqual(['9.99', '']);
    expect(cells('Owed to creators')).toEqual(['', '0.119880']);
    expect(cells('Suspense')).toEqual(['', '0.00']);
    expect(cells('Total')).toEqual(['10.109880', '10.109880']);
    expect(within(table).getByText('Balanced')).toBeTruthy();
    expect(
      within(table)
        .getAllByRole('rowheader')
        .filter(({ textContent }) => /^(Assets|Liabilities|Income|Expenses)$/.test(textContent ?? '')),
    ).toHaveLength(4);
  });

  it('[FIN-710] names accounts and events in plain words, with amounts in cents; the rest appears on hover', async () => {
    openBooks();
    const owed = await screen.findByRole('link', { name: 'Owed to creators' });
    expect(owed.querySelector('span')?.title).toBe('creator:*');
    const row = owed.closest('tr') as HTMLElement;
    expect(within(row).getByTitle('0.119880').querySelector('.hidden')?.textContent).toBe('9880');
    await userEvent.click(screen.getByRole('link', { name: 'Controls' }));
    const pages = within(await screen.findByRole('navigation', { name: 'Pages of Controls' }));
    expect(pages.getByRole('link', { name: /^Approvals/ }).getAttribute('aria-current')).toBe('page');
    await userEvent.click(pages.getByRole('link', { name: 'Events' }));
    expect(await screen.findByTitle('SamplePurchased')).toHaveProperty('textContent', 'Sample bought');
  });

  it('[FIN-15] lead from a total to the event behind it in four clicks', async () => {
    openBooks();
    await userEvent.click(await screen.findByRole('link', { name: 'Owed to creators' }));
    await userEvent.click(await screen.findByRole('link', { name: /^Owed to creators junie/ }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sample bought' }));
    expect(screen.getByLabelText('Event 9').textContent).toContain('"shareMicroUsd": 119880');
  });

  it('[FIN-16] read the credits as a sum, and say how well the books are', async () => {
    openBooks('/finance');
    expect(await screen.findByText('− 20')).toBeTruthy();
    expect(screen.getByText('− 5')).toBeTruthy();
    expect(await screen.findByText('2 of 2')).toBeTruthy();
    expect(screen.getByText('0 drift')).toBeTruthy();
    expect(document.body.textContent).toContain('Hash chain verified to position 1,204');
    expect(screen.getByText(/^Signed hourly heads, the newest of /)).toBeTruthy();
    expect(screen.getByText(/^from 1,100, whole last /)).toBeTruthy();
    expect(screen.getByText('1 day missing')).toBeTruthy();
  });

  it('[FIN-22] say what last night found, and when no night was checked for long', async () => {
    openBooks('/finance');
    expect(await screen.findByText('passed')).toBeTruthy();
    cleanup();
    books.nightAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
    openBooks('/finance');
    expect((await screen.findByText('overdue')).className).toContain('danger');
    cleanup();
    books.holds = false;
    openBooks('/finance');
    expect((await screen.findByText('1 broken')).className).toContain('danger');
    expect(screen.getByText(/user ben shows 7/)).toBeTruthy();
  });

  it('[FIN-22] name each rule that is broken, and check again when told to', async () => {
    openBooks('/finance/reconciliation');
    expect(await screen.findAllByText('holds')).toHaveLength(2);
    books.holds = false;
    await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText('user ada shows 5')).toBeTruthy();
    expect(screen.getByText('broken')).toBeTruthy();
    expect(server.seen('GET /api/finance/reconciliation')).toHaveLength(2);
  });

  it('[FIN-30] browse the log by stream and type, newest first', async () => {
    const { path } = openBooks('/finance/events');
    await screen.findByText('12');
    expect(server.seen('GET /api/finance/events')[0]?.query.get('order')).toBe('newest');
    await userEvent.type(screen.getByLabelText('Type'), 'SamplePurchased');
    await userEvent.click(screen.getByRole('button', { name: 'Find' }));
    await screen.findByText('9');
    expect(path()).toBe('/finance/events?type=SamplePurchased');
    await userEvent.click(screen.getByRole('button', { name: 'Sample bought' }));
    expect(screen.getByLabelText('Event 9')).toBeTruthy();
  });

  it('[FIN-56] show other currencies in tables of their own', async () => {
    const more = exampleWith('GET /api/finance/trial-balance', {
      accounts: [],
      otherCurrencies: [
        {
          currency: 'eur',
          accounts: [
            { account: 'stripe:balance:eur', balanceMicro: 14_790_000 },
            { account: 'suspense:eur', balanceMicro: -14_790_000 },
          ],
        },
      ],
    });
    server.on('GET /api/finance/trial-balance', more);
    openBooks();
    const table = await screen.findByRole('table', { name: 'Other currencies' });
    expect(table.textContent).toContain('Stripe balance, EUR14.79 EUR');
    expect(table.textContent).toContain('Suspense, EUR-14.79 EUR');
  });

  it('as of a day ask for that day', async () => {
    const { path } = openBooks('/finance/trial-balance?asOf=2026-10-31');
    await screen.findAllByRole('table');
    expect(server.seen('GET /api/finance/trial-balance')[0]?.query.get('asOf')).toBe('2026-10-31');
    expect(path()).toBe('/finance/trial-balance?asOf=2026-10-31');
  });

  it('[OPS-264] have the journal made as a file, in four formats', async () => {
    const file = { id: 'x1', filename: 'journal.csv', orderedAt: '2026-11-20T10:00:00.000Z' };
    const preparing = { ...file, state: 'preparing', sizeBytes: null, expiresAt: null };
    const made = { ...file, state: 'ready', sizeBytes: 3_400_000, expiresAt: '2026-11-27T10:00:00.000Z' };
    server.on('POST /api/finance/exports', { status: 202, json: preparing });
    openBooks();
    await screen.findAllByRole('table');
    expect(
      screen.getAllByRole('button', { name: /^The journal as / }).map(({ textContent }) => textContent),
    ).toEqual(['hledger', 'beancount', 'CSV', 'JSON'].map((format) => `The journal as ${format}`));
    server.on('GET /api/finance/exports', { json: { items: [preparing] } });
    await userEvent.click(screen.getByRole('button', { name: 'The journal as CSV' }));
    const files = await screen.findByRole('list', { name: 'Prepared files' });
    expect(files.textContent).toContain('Being made');
    expect(server.seen('POST /api/finance/exports')[0]?.body).toEqual({ format: 'csv' });
    // The page refreshes by itself.
    server.on('GET /api/finance/exports', { json: { items: [made] } });
    expect(await screen.findByText(/^3\.4 MB, kept until .*27/)).toBeTruthy();
    server.on('DELETE /api/finance/exports/x1', { status: 204 });
    server.on('GET /api/finance/exports', { json: { items: [] } });
    await userEvent.click(screen.getByRole('button', { name: /^Remove journal\.csv/ }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Prepared files' })).toBeNull());
  });

  it('say what failed, and try again', async () => {
    server.on('GET /api/finance/trial-balance', refused('InternalError'));
    openBooks();
    expect(await screen.findByText('The trial balance could not be loaded')).toBeTruthy();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy());
  });
});

describe('money', () => {
  it.each([
    [0, '0.00'],
    [9_990_000, '9.99'],
    [1_234_567_890_123, '1,234,567.890123'],
    [-119_880, '\u22120.119880'],
  ])('%i micro-dollars read %s', (microUsd, text) => {
    expect(render(<Money microUsd={microUsd} />).container.textContent).toBe(text);
  });
});
