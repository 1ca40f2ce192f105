import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import {
  PERIOD_DAYS,
  type Payout,
  type Sale,
  type SalesPeriod,
  type SoldGroup,
} from '../../application/payouts/contract.js';
import { routes } from '../../web/src/routes.js';
import EarningsScreen from '../../web/src/screens/earnings/earnings-screen.js';
import { signOut } from '../../web/src/session/session.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { pageWith } from './support/page.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
import { StubServer, exampleWith, refused } from './support/server.js';

const EarningsPage = pageWith('earnings', EarningsScreen);

const BALANCE = {
  totalEarningsMicroUsd: 2_683_769_999,
  availableMicroUsd: 412_360_000,
  heldMicroUsd: 131_400_000,
  inDoubtMicroUsd: 0,
  heldUntil: '2026-12-04T10:00:00.000Z',
  paidUsdCents: 214_000,
  minimumUsdCents: 1_000,
  inFlight: null,
};
const daysOf = (period: string, revenueMicroUsd: number) =>
  Array.from({ length: PERIOD_DAYS[period as SalesPeriod] }, (_, day) => ({
    date: new Date(Date.UTC(2025, 10, 1 + day)).toISOString().slice(0, 10),
    downloads: revenueMicroUsd > 0 ? 2 : 0,
    revenueMicroUsd,
  }));
const sale = (more: Partial<Sale> = {}): Sale => ({
  id: 'sale-1',
  buyerName: 'Noor Haddad',
  createdAt: '2025-11-20T15:58:00.000Z',
  sampleId: '7f3a91c2-4d08-4b1e-a0c1-0123456789ab',
  sampleTitle: 'Brush break',
  packTitle: 'Kitchen',
  creditsUsed: 2,
  country: null,
  amountMicroUsd: 191_988,
  heldUntil: null,
  ...more,
});

const PAID: Payout = {
  id: 'payout-1',
  amountUsdCents: 20_000,
  status: 'paid',
  requestedAt: '2026-11-03T10:00:00.000Z',
  settledAt: '2026-11-03T10:00:05.000Z',
  transferId: 'tr_1',
  reversedUsdCents: 0,
  failure: null,
};

const sold = (downloads: number, shareMicroUsd: number) => ({
  downloads,
  creditsUsed: downloads,
  shareMicroUsd,
});
/** Empty unless a test has `groups`. */
const reportOf = (by: string) => ({
  items: groups.filter(({ by: of }) => of === by).map(({ by: _, ...group }) => group),
  totals: { ...sold(5, 599_400), previous: sold(2, 239_760) },
  nextCursor: null,
});

let groups: (SoldGroup & { by: string })[];
let server: StubServer;
type Reached = { json: object } | { status: number; foreign: true };
let reach: (call?: { query: URLSearchParams }) => Reached;
let sales: Sale[];
let revenueMicroUsd: number;
let payouts: Payout[];
let payoutsEnabled: boolean;

beforeEach(() => {
  reach = () => ({ json: { items: [], nextCursor: null } });
  sales = [];
  groups = [];
  revenueMicroUsd = 0;
  payouts = [];
  payoutsEnabled = true;
  server = new StubServer({
    'GET /api/creator/balance': () => ({ json: BALANCE }),
    'GET /api/creator/sales': ({ query }) => ({
      json: {
        ...BALANCE,
        points: daysOf(query.get('period') ?? 'week', revenueMicroUsd),
        items: sales,
        nextCursor: null,
      },
    }),
    'GET /api/stripe/connect/status/:id': () =>
      exampleWith('GET /api/stripe/connect/status/:userId', { payoutsEnabled }),
    'GET /api/creator/statements': () => ({ json: { items: payouts, nextCursor: null } }),
    'GET /api/creator/monthly-statements': { json: { items: [] } },
    'GET /api/splits': { json: { items: [], nextCursor: null } },
    'GET /api/creator/tax-details': exampleWith('GET /api/creator/tax-details', {
      stated: null,
      fromProvider: null,
    }),
    'GET /api/creator/sales/report': ({ query }) => ({ json: reportOf(query.get('by') ?? 'sample') }),
    'GET /api/creator/sales/reach': (call) => reach(call),
    'GET /api/creator/sales/searches': { json: { items: [{ term: 'dusty break', finds: 3 }] } },
    'GET /api/creator/payout-schedule': () => ({ json: { schedule: 'on_demand', nextAt: null } }),
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs({ ...NOOR, displayName: 'Junie Okafor', isCreator: true });
});
afterEach(async () => {
  act(dismissToast);
  cleanup();
  await signOut();
  jest.restoreAllMocks();
});

const open = () =>
  renderAt(
    '/earnings',
    <Routes>
      <Route path="/earnings" element={<EarningsPage />} />
      <Route path="/" element={<p>The home page</p>} />
    </Routes>,
  );
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));
const choose = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('the way to a sale', () => {
  it('[STAT-802] lists views, plays, saves and sales page by page, and the searches', async () => {
    const rows = (from: number) =>
      Array.from({ length: 50 }, (_, n) => ({
        id: `s${from + n}`,
        title: `Sound ${from + n}`,
        pack: 'Kitchen',
        views: 1_200,
        plays: 40,
        saves: 7,
        downloads: 3,
      }));
    reach = ({ query } = { query: new URLSearchParams() }) =>
      query.has('cursor')
        ? { json: { items: rows(50), nextCursor: null } }
        : { json: { items: rows(0), nextCursor: 'x' } };
    open();
    const table = within(await screen.findByRole('region', { name: 'Views, plays, saves and sales' }));
    expect(table.getAllByRole('row')[1]?.textContent).toBe('Sound 0 · Kitchen1,2004073');
    await shown('dusty break 3');
    await choose('Show more');
    await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(101));
  });

  it('[STAT-802] says when nothing was counted, and offers to try again after a failure', async () => {
    open();
    await shown('Nothing was shown yet');
    cleanup();
    await signOut();
    signedInAs({ ...NOOR, displayName: 'Junie Okafor', isCreator: true });
    reach = () => ({ status: 503, foreign: true });
    open();
    await shown('The way to your sales could not be loaded');
  });
});

describe('what sells', () => {
  const group = { pack: 'Kitchen', previous: sold(2, 239_760), heardBy: 7, savedBy: 3 };

  it('[SALE-750] lists samples, packs or days beside the period before, with its file', async () => {
    groups = [
      { by: 'sample', id: 's1', title: 'Brush break', ...sold(5, 599_400), ...group },
      { by: 'sample', id: 's2', title: 'Rim', ...sold(1, 149_850), ...group },
      { by: 'sample', id: 's3', title: 'Free hat', ...sold(9, 0), ...group },
      { by: 'day', id: '2026-03-09', title: '2026-03-09', ...sold(5, 599_400), ...group, pack: null },
    ];
    open();
    const table = within(await screen.findByRole('region', { name: 'Sales in this period' }));
    expect(table.getAllByRole('row')[1]?.textContent).toBe('Brush break · Kitchen52$0.59$0.2373');
    expect(table.getAllByText('$0.59')[0]?.title).toBe('$0.5994');
    const bars = table.getAllByRole('rowheader').map((row) => row.querySelector<HTMLElement>('[style]'));
    expect(bars.map((bar) => bar?.style.width)).toEqual(['100%', '25%', undefined, undefined]);
    const link = screen.getByRole('link', { name: 'CSV' });
    const asked = server.seen('GET /api/creator/sales/report')[0]?.query;
    for (const name of ['from', 'to', 'before'])
      expect(link.getAttribute('href')).toContain(`${name}=${asked?.get(name)}`);
    await choose('Days');
    await shown('9 Mar');
    fireEvent.change(screen.getByLabelText('Compared from'), { target: { value: '' } });
    await waitFor(() =>
      expect(server.seen('GET /api/creator/sales/report').at(-1)?.query.has('before')).toBe(false),
    );
  });
});

describe('who sees their sales', () => {
  it('[HDR-02] [SALE-01] creators, under the title and its line', async () => {
    const { path } = open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sales');
    await shown('Track your sales and revenue from downloads');
    expect(path()).toBe('/earnings');
    expect(routes[0]?.children?.map(({ path: address }) => address)).toContain('/earnings');
  });

  it('[SALE-07] listeners are led home, and nothing is asked for them', async () => {
    signedInAs(NOOR);
    const { path } = open();
    await shown('The home page');
    expect(path()).toBe('/');
    expect(server.seen('GET /api/creator/sales')).toHaveLength(0);
  });

  it('[PAY-10] suspended creators, who read it and withdraw nothing', async () => {
    signedInAs({ ...NOOR, displayName: 'Junie Okafor' });
    server.on('GET /api/creator', exampleWith('GET /api/creator', { status: 'suspended', reason: 'theft' }));
    const { path } = open();
    await shown('You keep your balance, but you cannot withdraw it until the suspension ends.');
    await shown('Reason: theft');
    expect(path()).toBe('/earnings');
    expect(screen.queryByRole('button', { name: /^Withdraw/ })).toBeNull();
    expect(server.seen('GET /api/creator/statements')).toHaveLength(1);
  });

  it('[SALE-07] visitors are led home', async () => {
    await signOut();
    const { path } = open();
    await shown('The home page');
    expect(path()).toBe('/');
  });

  it('[SALE-07] a failed load is only logged', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    server.on('GET /api/creator/balance', { status: 500 }).on('GET /api/creator/sales', { status: 500 });
    const { path } = open();
    await shown('No sales yet');
    expect(log).toHaveBeenCalledWith('Your sales could not be loaded.', expect.anything());
    expect(screen.queryByRole('alert')).toBeNull();
    // An unknown amount must not show as zero.
    expect(document.body.textContent).not.toContain('$0.00');
    expect(path()).toBe('/earnings');
  });

  it('[DASH-02] the side panel leads to every page of a creator', () => {
    open();
    const panel = within(screen.getByRole('navigation', { name: 'Creator' }));
    expect(panel.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Creator Dashboard', '/dashboard'],
      ['Sales', '/earnings'],
      ['My Library', '/library'],
      ['Profile', '/dashboard?tab=profile'],
      ['Account Settings', '/settings'],
    ]);
    expect(panel.getByRole('link', { name: 'Sales' }).getAttribute('aria-current')).toBe('page');
  });
});

describe('what was earned', () => {
  it('[SALE-02] all of it in whole cents, and the part past its hold', async () => {
    open();
    await waitFor(() => screen.getByRole('region', { name: 'Earnings' }));
    const text = screen.getByRole('region', { name: 'Earnings' }).textContent;
    expect(text).toContain('Total Earnings$2,683.76');
    expect(text).toContain('Available for withdrawal$412.36');
    expect(text).toContain('On hold for 14 days$131.40');
    expect(text).toContain('released by 4 Dec');
    expect(text).toContain('Paid out$2,140.00');
    expect(
      screen.getByRole('img', { name: /Paid out: 2,140, Available: 412.36, On hold: 131.4/ }),
    ).toBeTruthy();
  });

  it('[ADM-37] how much is under review, instead of a day of release', async () => {
    server.on('GET /api/creator/balance', { json: { ...BALANCE, inDoubtMicroUsd: 60_000_000 } });
    open();
    await shown('$60.00 of it is under review');
    expect(document.body.textContent).not.toContain('released by');
  });
});

describe('the way to the money', () => {
  it('[PAY-03] withdraws what is available once it is confirmed', async () => {
    server.on('POST /api/creator/withdrawals', { json: { ...PAID, status: 'requested', settledAt: null } });
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Withdraw' }));
    await shown('Withdraw $412.36?');
    expect(server.seen('POST /api/creator/withdrawals')).toHaveLength(0);
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Withdraw' }));
    await shown('$412.36 is on its way');
    expect(server.seen('POST /api/creator/withdrawals')[0]?.body).toEqual({ amountUsdCents: 41_236 });
  });

  it('leads to the payout card while the payment provider pays nothing', async () => {
    payoutsEnabled = false;
    open();
    const link = await screen.findByRole('link', { name: 'Set up payouts' });
    expect(link.getAttribute('href')).toBe('/dashboard');
    expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull();
  });

  it('[SALE-752] sums up the account by month, with decreases as negative', async () => {
    server.on('GET /api/creator/monthly-statements', {
      json: {
        items: [
          {
            month: '2026-11',
            sales: 12,
            openingMicroUsd: 5_000_000,
            earnedMicroUsd: 2_119_880,
            takenBackMicroUsd: 119_880,
            withdrawnMicroUsd: 4_000_000,
            writtenOffMicroUsd: 0,
            freeDownloads: 0,
            closingMicroUsd: 3_000_000,
          },
        ],
      },
    });
    open();
    const months = await screen.findByRole('table', { name: 'Monthly statements' });
    const row = within(months).getByRole('row', { name: /^November 2026/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['12', '$5.00', '$2.11', '\u2212$0.11', '\u2212$4.00', '$3.00']);
    expect(within(row).getByTitle('$2.11988')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Statements' }).getAttribute('href')).toBe('#months-title');
  });

  it('[PAY-09, PAY-504] gives a statement of every payout but failed ones', async () => {
    const payout: Payout = { ...PAID, reversedUsdCents: 500, status: 'partly_reversed' };
    payouts = [payout, { ...payout, id: 'payout-2', status: 'failed', failure: 'The account is closed' }];
    open();
    const panel = await screen.findByRole('region', { name: 'Withdrawals' });
    expect(panel.textContent).toContain('partly reversed$5.00 reversed$200.00');
    expect(panel.textContent).toContain('The account is closed');
    expect(
      within(panel)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/api/creator/statements.csv', '/api/creator/statements/payout-1.csv']);
  });

  it('[PAY-09] pages to the first withdrawal', async () => {
    server.on('GET /api/creator/statements', ({ query }) => ({
      json: query.has('cursor')
        ? { items: [{ ...PAID, id: 'first', amountUsdCents: 1_234 }], nextCursor: null }
        : { items: [PAID], nextCursor: 'older' },
    }));
    open();
    const panel = within(await screen.findByRole('region', { name: 'Withdrawals' }));
    await userEvent.click(panel.getByRole('button', { name: 'Show more' }));
    expect(await panel.findByText('$12.34')).toBeTruthy();
    expect(panel.getByText('$200.00')).toBeTruthy();
    expect(panel.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('[PAY-09, PAY-503] opens a statement whose lines sum to the payout', async () => {
    payouts = [PAID];
    const line = {
      kind: 'sale',
      purchaseId: 'p1',
      sampleId: 's1',
      sampleTitle: 'Brush break',
      packTitle: 'Kitchen',
      creditsUsed: 2,
      country: null,
      reversedPayoutId: null,
      reversedPayoutAt: null,
      reversalId: null,
      soldAt: '2026-10-12T10:00:00.000Z',
      shareMicroUsd: 191_988_000,
      amountMicroUsd: 191_988_000,
    };
    const rest = {
      ...line,
      purchaseId: 'p2',
      sampleId: 's2',
      sampleTitle: null,
      packTitle: null,
      shareMicroUsd: 20_000_000,
      amountMicroUsd: 10_012_000,
    };
    const back = { ...rest, kind: 'reversal', purchaseId: null, sampleId: null, soldAt: null };
    const again = {
      ...back,
      kind: 'payout_reversal',
      shareMicroUsd: null,
      amountMicroUsd: 1_000_000,
      reversedPayoutId: 'payout-0',
      reversedPayoutAt: '2026-10-03T10:00:00.000Z',
      reversalId: 'trr_1',
    };
    server.on('GET /api/creator/statements/:id', {
      json: {
        ...PAID,
        amountMicroUsd: 201_000_000,
        lines: [line, rest, again, { ...back, shareMicroUsd: null, amountMicroUsd: -2_000_000 }],
      },
    });
    open();
    const opener = await screen.findByRole('button', { name: /3 November 2026/, expanded: false });
    expect(server.seen('GET /api/creator/statements/:id')).toHaveLength(0);
    await userEvent.click(opener);
    const table = await screen.findByRole('table', { name: 'Lines of the payout of 3 November 2026' });
    const rows = within(table).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent).slice(1)).toEqual([
      '12 October 2026Brush break · Kitchen$191.988$191.988',
      '12 October 2026s2$20.00$10.012',
      'Reversed payout of 3 October 2026, paid again$1.00',
      'Sales undone after they were paid−$2.00',
      'Sum4 lines$201.00',
    ]);
    await userEvent.click(opener);
    expect(screen.queryByRole('table', { name: /^Lines/ })).toBeNull();
  });

  it('[PAY-03] looks again while a withdrawal is on its way', async () => {
    payouts = [{ ...PAID, status: 'requested', settledAt: null, transferId: null }];
    open();
    const panel = await screen.findByRole('region', { name: 'Withdrawals' });
    expect(within(panel).queryByText('paid')).toBeNull();
    payouts = [PAID];
    await waitFor(() => expect(within(panel).getByText('paid')).toBeTruthy());
  });

  it('chooses to be paid monthly, and keeps what was when that is refused', async () => {
    open();
    const group = await screen.findByRole('group', { name: 'Payout schedule' });
    const pressed = () => within(group).getByRole('button', { pressed: true }).textContent;
    expect(pressed()).toBe('On demand');
    server.on(
      'PUT /api/creator/payout-schedule',
      refused('ServiceUnavailable', { detail: 'Come back later' }),
    );
    await userEvent.click(within(group).getByRole('button', { name: 'Monthly' }));
    await shown('The schedule was not changed');
    await waitFor(() => expect(pressed()).toBe('On demand'));
    server.on('PUT /api/creator/payout-schedule', {
      json: { schedule: 'monthly', nextAt: '2026-12-01T00:00:00.000Z' },
    });
    const before = server.seen('PUT /api/creator/payout-schedule').length;
    await userEvent.dblClick(within(group).getByRole('button', { name: 'Monthly' }));
    await shown('Next payout on 1 Dec, if at least $10.00 is available');
    expect(pressed()).toBe('Monthly');
    // The second press of a double click sends nothing.
    const sent = server.seen('PUT /api/creator/payout-schedule').slice(before);
    expect(sent.map(({ body }) => body)).toEqual([{ schedule: 'monthly' }]);
  });
});

describe('the overview', () => {
  it.each([
    ['Week', 'week', 7],
    ['Month', 'month', 30],
    ['3 Months', '3months', 90],
    ['Year', 'year', 365],
  ])('[SALE-03] %s shows as many days as it has', async (label, period, days) => {
    revenueMicroUsd = 1_500_000;
    open();
    await waitFor(() => screen.getByRole('slider', { name: 'Revenue a day' }));
    expect(screen.getByRole('button', { name: 'Week', pressed: true })).toBeTruthy();
    await choose(label);
    await waitFor(() => expect(document.querySelectorAll('[data-bar]')).toHaveLength(days));
    expect(server.seen('GET /api/creator/sales').some(({ query }) => query.get('period') === period)).toBe(
      true,
    );
    await shown(`in the last ${days} days`);
  });

  it('[SALE-03] says that a period is empty', async () => {
    open();
    await shown('No sales data for this period');
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('[SALE-03] gives the same figures as a table', async () => {
    revenueMicroUsd = 1_500_000;
    open();
    await waitFor(() => screen.getByRole('slider', { name: 'Revenue a day' }));
    await choose('Show as a table');
    const table = screen.getByRole('table', { name: 'Revenue a day' });
    expect(within(table).getAllByRole('row')).toHaveLength(8);
    expect(within(table).getByRole('row', { name: '1 Nov 2025 2 $1.50' })).toBeTruthy();
  });
});

describe('the list of sales', () => {
  it('[SALE-04] is empty in words', async () => {
    open();
    await shown('No sales yet');
    await shown('Your earnings will appear here when users download your samples');
  });

  it('[SALE-04] [SALE-05] [SALE-06] names buyer, time, sample, credits and share, newest first', async () => {
    sales = [
      sale(),
      sale({
        id: 'sale-2',
        buyerName: 'User 4f1c09ab',
        creditsUsed: 1,
        country: null,
        createdAt: '2025-11-19T08:05:00.000Z',
        heldUntil: '2025-12-03T08:05:00.000Z',
      }),
      sale({ id: 'sale-3', createdAt: '2025-11-18T08:05:00.000Z', amountMicroUsd: 0 }),
    ];
    open();
    await shown('held until 3 Dec');
    expect(document.querySelectorAll('.sales-status')[2]?.textContent).toBe('no share');
    expect(document.querySelectorAll('.sales-status .badge')[0]?.textContent).toBe('released');
    await shown('Brush break · Kitchen');
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => row.querySelector('time')?.dateTime)).toEqual(
      sales.map(({ createdAt }) => createdAt),
    );
    expect(rows[0]?.textContent).toContain('Noor Haddad');
    expect(rows[0]?.textContent).toMatch(/20 Nov 2025, \d\d:58/);
    expect(rows[0]?.textContent).toContain('2 creditsreleased$0.19');
    expect(within(rows[0] as HTMLElement).getByText('$0.19').title).toBe('$0.191988');
    expect(rows[1]?.textContent).toContain('User 4f1c09ab');
    expect(rows[1]?.textContent).toMatch(/1 creditheld until 3 Dec\$/);
  });

  it('[SALE-04] brings older ones on request', async () => {
    server.on('GET /api/creator/sales', ({ query }) => ({
      json: {
        ...BALANCE,
        points: [],
        items: [query.get('cursor') ? sale({ id: 'old', buyerName: 'Ines Calderon' }) : sale()],
        nextCursor: query.get('cursor') ? null : 'next',
      },
    }));
    open();
    await shown('Noor Haddad');
    await choose('Show more');
    await shown('Ines Calderon');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
});
