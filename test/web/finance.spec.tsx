import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import FinanceScreen from '../../web/src/screens/finance/finance-screen.js';
import { Money } from '../../web/src/screens/finance/money.js';
import { signOut } from '../../web/src/session/session.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';

const event = (position: number) => ({
  position,
  stream: 'purchase-ada.s1',
  version: 1,
  type: 'SamplePurchased',
  data: { sampleId: 's1', shareMicroUsd: 119_880 },
  metadata: { actor: 'ada', correlationId: 'c' },
  recordedAt: '2026-11-20T12:00:00.000Z',
  hash: 'ab'.repeat(32),
});
const row = (account: string, kind: string, debitMicroUsd: number, creditMicroUsd: number, accounts = 1) => ({
  account,
  kind,
  accounts,
  debitMicroUsd,
  creditMicroUsd,
});
const GROUPED = [
  row('stripe:balance', 'asset', 9_990_000, 0),
  row('deferred:*', 'liability', 0, 9_790_200, 1),
  row('creator:*', 'liability', 0, 119_880, 1),
  row('suspense', 'liability', 0, 0),
  row('credits', 'income', 0, 199_800),
  row('royalties', 'expense', 119_880, 0),
];

let server: StubServer;
let holds: boolean;
let nightAt: string;

beforeEach(() => {
  holds = true;
  nightAt = new Date().toISOString();
  server = new StubServer({
    'GET /api/auth/session': () => ({ json: { user: NOOR, expiresAt: 2_000_000_000 } }),
    'POST /api/auth/sign-out': { status: 204 },
    'GET /api/finance/trial-balance': ({ query }) => ({
      json: {
        asOf: '2026-11-20T12:00:00.000Z',
        position: 12,
        accounts:
          query.get('grouped') === 'true'
            ? GROUPED
            : [row('stripe:balance', 'asset', 9_990_000, 0), row('creator:junie', 'liability', 0, 119_880)],
        totals: { debitMicroUsd: 10_109_880, creditMicroUsd: 10_109_880 },
        credits: { accounts: [], totals: { debitCredits: 0, creditCredits: 0 } },
      },
    }),
    'GET /api/finance/credit-rollforward': () => ({
      json: { opening: 100, granted: 50, spent: 20, returned: 1, revoked: 0, adjusted: -5, closing: 126 },
    }),
    'GET /api/finance/reconciliation': () => ({
      json: {
        checkedAt: '2026-11-20T12:00:00.000Z',
        invariants: [
          { number: 1, name: 'Every entry sums to zero', holds: true },
          {
            number: 3,
            name: 'A wallet is its lines',
            holds,
            ...(holds ? {} : { detail: 'user ada shows 5' }),
          },
        ],
        chain: { verified: true, position: 1204 },
        heads: { verified: 5, newest: { date: '2026-11-20', position: 1200 }, missingDays: ['2026-11-18'] },
        drift: [{ projection: 'journal', rows: holds ? 0 : 2 }],
      },
    }),
    'GET /api/finance/checks': () => ({
      json: {
        items: [
          {
            night: '2026-11-20',
            checkedAt: nightAt,
            position: 1204,
            holds,
            broken: holds ? [] : [{ number: 3, name: 'A wallet is its lines', detail: 'user ben shows 7' }],
          },
        ],
      },
    }),
    'GET /api/finance/accounts/creator%3Ajunie': () => ({
      json: {
        account: 'creator:junie',
        balanceMicroUsd: -119_880,
        balanceCredits: 0,
        entries: [
          {
            position: 9,
            at: '2026-11-20T12:00:00.000Z',
            fact: 'share-earned',
            deltaMicroUsd: -119_880,
            balanceMicroUsd: -119_880,
            deltaCredits: 0,
            balanceCredits: 0,
            event: event(9),
          },
        ],
        nextCursor: null,
      },
    }),
    'GET /api/finance/events': ({ query }) => ({
      json: { items: [event(query.get('type') === 'SamplePurchased' ? 9 : 12)], nextCursor: null },
    }),
  });
  signedInAs({ ...NOOR, roles: ['finance'] });
});
afterEach(async () => {
  cleanup();
  await signOut();
});

const open = (address = '/finance') =>
  renderAt(
    address,
    <Routes>
      <Route path="/finance/*" element={<FinanceScreen />} />
      <Route path="/auth" element={<p>The sign-in page</p>} />
    </Routes>,
  );

describe('the books', () => {
  it('[ROLE-04] are for people with the role', async () => {
    signedInAs({ ...NOOR, roles: ['admin'] });
    open();
    expect(screen.getByText('Not for this account')).toBeTruthy();
    expect(server.seen('GET /api/finance/trial-balance')).toHaveLength(0);
    cleanup();
    await signOut();
    const { path } = open('/finance/events?type=CreditsSpent');
    await userEvent.click(screen.getByRole('link', { name: 'Sign In' }));
    expect(path()).toBe('/auth?returnTo=%2Ffinance%2Fevents%3Ftype%3DCreditsSpent');
  });

  it('[FIN-15] show the trial balance by kind, with zeros and a total that balances', async () => {
    open();
    const table = await screen.findByRole('table');
    const cells = (name: string) =>
      within(within(table).getByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent);
    expect(cells('stripe:balance')).toEqual(['9.99', '']);
    expect(cells('creator:\\*')).toEqual(['', '0.119880']);
    expect(cells('suspense')).toEqual(['', '0.00']);
    expect(cells('Total')).toEqual(['10.109880', '10.109880']);
    expect(within(table).getByText('Balanced')).toBeTruthy();
    expect(
      within(table)
        .getAllByRole('rowheader')
        .filter(({ textContent }) => /^(Assets|Liabilities|Income|Expenses)$/.test(textContent ?? '')),
    ).toHaveLength(4);
  });

  it('[FIN-15] lead from a total to the event behind it in four clicks', async () => {
    open();
    await userEvent.click(await screen.findByRole('link', { name: 'creator:*' }));
    await userEvent.click(await screen.findByRole('link', { name: 'creator:junie' }));
    await userEvent.click(await screen.findByRole('button', { name: 'SamplePurchased' }));
    expect(screen.getByLabelText('Event 9').textContent).toContain('"shareMicroUsd": 119880');
  });

  it('[FIN-16] read the credits as a sum, and say how well the books are', async () => {
    open();
    expect(await screen.findByText('− 20')).toBeTruthy();
    expect(screen.getByText('− 5')).toBeTruthy();
    expect(await screen.findByText('2 of 2')).toBeTruthy();
    expect(screen.getByText('0 drift')).toBeTruthy();
    expect(document.body.textContent).toContain('Hash chain verified to position 1,204');
    expect(screen.getByText('Signed daily heads, the newest of 20 Nov')).toBeTruthy();
    expect(screen.getByText('1 day missing')).toBeTruthy();
  });

  it('[FIN-22] say what last night found, and when no night was checked for long', async () => {
    open();
    expect(await screen.findByText('passed')).toBeTruthy();
    cleanup();
    nightAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
    open();
    expect((await screen.findByText('overdue')).className).toContain('danger');
    cleanup();
    holds = false;
    open();
    expect((await screen.findByText('1 broken')).className).toContain('danger');
    expect(screen.getByText(/user ben shows 7/)).toBeTruthy();
  });

  it('[FIN-22] name each rule that is broken, and check again when told to', async () => {
    open('/finance/reconciliation');
    expect(await screen.findAllByText('holds')).toHaveLength(2);
    holds = false;
    await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText('user ada shows 5')).toBeTruthy();
    expect(screen.getByText('broken')).toBeTruthy();
    expect(server.seen('GET /api/finance/reconciliation')).toHaveLength(2);
  });

  it('[FIN-30] browse the log by stream and type, newest first', async () => {
    const { path } = open('/finance/events');
    await screen.findByText('12');
    expect(server.seen('GET /api/finance/events')[0]?.query.get('order')).toBe('newest');
    await userEvent.type(screen.getByLabelText('Type'), 'SamplePurchased');
    await userEvent.click(screen.getByRole('button', { name: 'Find' }));
    await screen.findByText('9');
    expect(path()).toBe('/finance/events?type=SamplePurchased');
    await userEvent.click(screen.getByRole('button', { name: 'SamplePurchased' }));
    expect(screen.getByLabelText('Event 9')).toBeTruthy();
  });

  it('as of a day ask for that day, and export in three formats', async () => {
    const { path } = open('/finance?asOf=2026-10-31');
    await screen.findByRole('table');
    expect(server.seen('GET /api/finance/trial-balance')[0]?.query.get('asOf')).toBe('2026-10-31');
    expect(path()).toBe('/finance?asOf=2026-10-31');
    const files = screen
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
      .filter((href) => href?.startsWith('/api/finance/export'));
    expect(files).toEqual(['hledger', 'csv', 'json'].map((format) => `/api/finance/export?format=${format}`));
  });

  it('say what failed, and try again', async () => {
    server.on('GET /api/finance/trial-balance', {
      status: 500,
      json: { title: 'Something went wrong on our side' },
    });
    open();
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
