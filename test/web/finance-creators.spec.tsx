import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { cellsOf, openBooks, startBooks, table } from './support/books.js';
import { leave } from './support/render.js';
import { type StubServer, exampleWith, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startBooks()));
afterEach(leave);

const broken = refused('InternalError');

describe('creators in the books', () => {
  const junie = {
    creatorId: 'junie',
    displayName: 'Junie Okafor',
    handle: 'Junie_Okafor',
    earnedMicroUsd: 30_119_880,
    takenBackMicroUsd: 119_880,
    inTransitMicroUsd: 0,
    paidMicroUsd: 25_000_000,
    writtenOffMicroUsd: 0,
    balanceMicroUsd: 5_000_000,
  };
  const payout = {
    id: 'w1',
    amountUsdCents: 2_500,
    status: 'paid',
    requestedAt: '2026-11-10T10:00:00.000Z',
    settledAt: '2026-11-10T10:00:03.000Z',
    transferId: 'tr_1',
    reversedUsdCents: 0,
    failure: null,
  };
  const line = (purchaseId: string, amountMicroUsd: number) => ({
    kind: 'sale',
    purchaseId,
    sampleId: 's',
    sampleTitle: 'Rented piano',
    packTitle: null,
    creditsUsed: 2,
    country: null,
    reversedPayoutId: null,
    reversedPayoutAt: null,
    reversalId: null,
    soldAt: '2026-10-01T10:00:00.000Z',
    shareMicroUsd: amountMicroUsd,
    amountMicroUsd,
  });
  const statement = (amount: number) => ({
    json: { ...payout, amountMicroUsd: 25_000_000, lines: [line('p1', 20_000_000), line('p2', amount)] },
  });
  const { creatorId: _, displayName: __, handle: ___, ...amounts } = junie;
  const totals = { ...amounts, balanceMicroUsd: 70_000_000 };
  beforeEach(() => {
    server.on('GET /api/finance/creators', ({ query }) => ({
      json:
        query.get('search') === 'wren'
          ? { items: [], nextCursor: null, total: 0, totals: amounts }
          : { items: [junie], nextCursor: 'next', total: 312, totals },
    }));
    server.on('GET /api/finance/creators/junie', {
      json: {
        ...junie,
        heldMicroUsd: 1_000_000,
        heldUntil: '2026-12-01T00:00:00.000Z',
        availableMicroUsd: 4_000_000,
      },
    });
    server.on('GET /api/finance/creators/junie/statements', { json: { items: [payout], nextCursor: null } });
  });

  it('[PAY-07, FIN-460] are found by name, each line a sum, below them the sum of all', async () => {
    openBooks('/finance/creators');
    const row = await screen.findByRole('row', { name: /^Junie Okafor/ });
    expect(cellsOf(row)).toEqual(['30.119880', '−0.119880', '0.00', '−25.00', '0.00', '5.00']);
    // The server sums all creators; the browser would sum only one page.
    screen.getByText('312 creators, the highest balances first');
    expect(cellsOf(screen.getByRole('row', { name: /^Total/ })).at(-1)).toBe('70.00');
    await userEvent.type(screen.getByLabelText('Name, handle or id'), 'wren{Enter}');
    expect(await screen.findByText('No creator with earnings matches “wren”.')).toBeTruthy();
  });

  it('[PAY-07, PAY-09] show the balance by state, and statements whose lines sum to the payout', async () => {
    server.on('GET /api/finance/creators/junie/statements/w1', statement(5_000_000));
    openBooks('/finance/creators/junie');
    const states = within(await screen.findByRole('region', { name: 'By state' }));
    expect(states.getAllByRole('definition').map(({ textContent }) => textContent.trim())).toEqual([
      '1.00 until 1 Dec 2026, 00:00',
      '4.00',
      '0.00',
      '25.00',
      '0.00',
    ]);
    // The newest statement is open.
    expect((await screen.findByText('Sums to the payout')).className).toContain('ok');
    const lines = await table('Statement of 10 Nov 2026, 10:00');
    expect(within(lines).getByRole('row', { name: /^Sum/ }).textContent).toContain('25.00');
    const leads = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(leads('Explain line 2')).toBe('/finance/trace/w1?line=2');
    expect(leads('Explain tr_1')).toBe('/finance/trace/tr_1');
    fireEvent.click(screen.getByRole('button', { name: '10 Nov 2026, 10:00' }));
    expect(screen.queryByText('Sums to the payout')).toBeNull();
  });

  it('[PAY-09] say so when the lines do not sum to it', async () => {
    server.on('GET /api/finance/creators/junie/statements/w1', statement(4_990_000));
    openBooks('/finance/creators/junie');
    expect((await screen.findByText('Does not sum to the payout')).className).toContain('danger');
  });

  it('say who never earned, and what failed', async () => {
    openBooks('/finance/creators/nobody');
    expect(await screen.findByText('No earnings')).toBeTruthy();
    cleanup();
    server.on('GET /api/finance/creators/junie', broken);
    openBooks('/finance/creators/junie');
    expect(await screen.findByText('The creator could not be loaded')).toBeTruthy();
    cleanup();
    server.on('GET /api/finance/creators', broken);
    openBooks('/finance/creators');
    expect(await screen.findByText('The creators could not be loaded')).toBeTruthy();
  });
});

describe('sales under review', () => {
  const sale = (purchaseId: string, more: object = {}) => ({
    purchaseId,
    sampleId: 's1',
    creatorId: 'junie',
    creatorName: 'Junie Okafor',
    buyerId: 'ada',
    buyerName: 'Ada Wren',
    sampleTitle: 'Rented piano',
    soldAt: '2026-11-01T10:00:00.000Z',
    credits: 2,
    valueMicroUsd: 9_990_000,
    perCreditMicroUsd: 4_995_000,
    dearestMicroUsd: 199_800,
    shareMicroUsd: 5_994_000,
    reason: 'An administrator gave the credits this value',
    requestId: null,
    ...more,
  });
  const PATH = '/finance/sales-under-review';
  const SUMS = { total: 2, shareMicroUsd: 11_988_000 };

  it('[ADM-44] are listed with their people, what a credit was worth against the dearest plan, and why', async () => {
    server.on('GET /api/finance/sales-under-review', ({ query }) => ({
      json: query.get('cursor')
        ? { items: [sale('p2', { sampleTitle: null, sampleId: 'gone' })], nextCursor: null, ...SUMS }
        : { items: [sale('p1')], nextCursor: 'next', ...SUMS },
    }));
    openBooks(PATH);
    await screen.findByText('2 sales; no product asks more than 0.1998 USD a credit');
    await userEvent.click(await screen.findByRole('button', { name: 'More sales' }));
    await screen.findByText('2 sales; no product asks more than 0.1998 USD a credit');
    const [first, second, total] = within(await table('Sales under review'))
      .getAllByRole('row')
      .slice(1);
    expect(cellsOf(first!)).toEqual([
      '5.994000',
      'Release',
      'p1',
      '4.995000',
      '2',
      'An administrator gave the credits this value',
      'Ada Wren',
      'Rented piano',
      '1 Nov 2026, 10:00',
    ]);
    expect(cellsOf(second!)[7]).toBe('gone');
    expect(cellsOf(total!).filter(Boolean)).toEqual(['11.988000']);
    expect(screen.getByRole('link', { name: 'Explain p1' }).getAttribute('href')).toBe('/finance/trace/p1');
    expect(screen.getAllByRole('link', { name: 'Junie Okafor' })[0]?.getAttribute('href')).toBe(
      '/finance/creators/junie',
    );
    expect(screen.getAllByRole('link', { name: 'Ada Wren' })[0]?.getAttribute('href')).toBe(
      '/finance/proof/ada',
    );
  });

  it('[ADM-45] are released by a second person, who is asked with a reason', async () => {
    let requestId: string | null = null;
    const release = 'POST /api/finance/sales-under-review/:purchaseId/release';
    server
      .on('GET /api/finance/sales-under-review', () => ({
        json: { items: [sale('p1', { requestId })], nextCursor: null, ...SUMS },
      }))
      .on(release.replace(':purchaseId', 'p1'), () => {
        requestId = 'r1';
        return exampleWith(release as 'GET /api/finance/claims', { id: 'r1' });
      });
    openBooks(PATH);
    await userEvent.click(await screen.findByRole('button', { name: 'Release p1' }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText(/Junie Okafor can then withdraw it/);
    await userEvent.type(dialog.getByLabelText('Reason'), 'A sponsor paid');
    await userEvent.click(dialog.getByRole('button', { name: 'Ask for approval' }));
    const waits = await screen.findByRole('link', { name: 'Waits' });
    expect(waits.getAttribute('href')).toBe('/finance/approvals?request=r1');
    expect(server.seen(release.replace(':purchaseId', 'p1'))[0]?.body).toEqual({ reason: 'A sponsor paid' });
  });

  it('[ADM-44] say that there are none, or that they could not be loaded', async () => {
    server.on('GET /api/finance/sales-under-review', broken);
    openBooks(PATH);
    await screen.findByText('The sales could not be loaded');
    server.on('GET /api/finance/sales-under-review', {
      json: { items: [], nextCursor: null, total: 0, shareMicroUsd: 0 },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('No sale is under review');
  });
});

describe('claims of deleted accounts', () => {
  const CODE = 'ab12'.repeat(10);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const claim = (creatorId: string, more: object = {}) => ({
    creatorId,
    madeAt: day(-26),
    payableUntil: day(1000),
    owedMicroUsd: 11_988_000,
    payouts: 0,
    ...more,
  });
  const pay = async (code: string) => {
    await userEvent.type(screen.getByLabelText('Claim code'), code);
    await userEvent.click(screen.getByRole('button', { name: 'Pay what is available' }));
  };
  const findOtto = async () => {
    await userEvent.type(screen.getByLabelText('E-mail, name or user id'), 'otto{Enter}');
    await screen.findByText('Otto Lind');
  };
  beforeEach(() => {
    const otto = { id: 'otto', displayName: 'Otto Lind', email: 'otto@x.fm', handle: null };
    server.on('GET /api/finance/people', { json: { items: [otto] } }).on('GET /api/finance/claims', {
      json: {
        items: [
          claim('teo'),
          claim('ida', { payableUntil: day(-1) }),
          claim('uwe', { owedMicroUsd: 8_000, payouts: 2 }),
        ],
      },
    });
  });

  it('[PAY-12] are listed with what is owed, how old they are and whether they can be paid', async () => {
    openBooks('/finance/claims');
    const rows = within(await table('Claims'))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^teoopen.*26 d.*011\.988/),
      expect.stringMatching(/^idaended/),
      expect.stringMatching(/^uwepaid.*20\.008/),
      expect.stringMatching(/^Total.*23\.984/),
    ]);
    expect(screen.getByRole('link', { name: 'teo' }).getAttribute('href')).toBe('/finance/creators/teo');
  });

  it('[PAY-12] are paid to who shows the code, typed in groups; a lost answer repeats with its key', async () => {
    let lost = true;
    server.on('POST /api/finance/claims/payouts', () =>
      lost ? broken : exampleWith('POST /api/finance/claims/payouts', { amountUsdCents: 599 }),
    );
    openBooks('/finance/claims');
    await pay(CODE);
    await screen.findByText('Find the person first');
    await findOtto();
    await userEvent.clear(screen.getByLabelText('Claim code'));
    await pay('ab12');
    await screen.findByText(/^A claim code has 40 characters/);
    await userEvent.clear(screen.getByLabelText('Claim code'));
    expect(server.seen('POST /api/finance/claims/payouts')).toHaveLength(0);
    await pay('ab12 '.repeat(10));
    await screen.findByText(/do not know yet whether it was paid/);
    lost = false;
    await userEvent.click(screen.getByRole('button', { name: 'Pay what is available' }));
    await screen.findByText('$5.99 is on its way');
    const requests = server.seen('POST /api/finance/claims/payouts');
    expect(requests.map(({ body }) => body)).toEqual(Array(2).fill({ code: CODE, userId: 'otto' }));
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    await waitFor(() => expect(server.seen('GET /api/finance/claims').length).toBeGreaterThan(1));
  });

  it('[PAY-12] say why they are not paid', async () => {
    server.on('POST /api/finance/claims/payouts', {
      status: 404,
      json: { code: 'NotFound', title: 'Nothing here' },
    });
    openBooks('/finance/claims');
    await findOtto();
    await pay(CODE);
    await screen.findByText('No claim has this code');
  });

  it('[PAY-12] say that there are none, or that they could not be loaded', async () => {
    server.on('GET /api/finance/claims', broken);
    openBooks('/finance/claims');
    await screen.findByText('The claims could not be loaded');
    server.on('GET /api/finance/claims', { json: { items: [] } });
    await userEvent.click(screen.getByRole('button', { name: /again/ }));
    await screen.findByText('No deleted accounts are owed money.');
  });
});
