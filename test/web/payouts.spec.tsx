import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ConnectStatus, CreatorBalance, Payout } from '../../application/payouts/contract.js';
import { PayoutCard } from '../../web/src/screens/dashboard/payout-card.js';
import { settleAlert } from '../../web/src/ui/overlays/alerts.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { creatorWith, exampleWith, refused, StubServer } from './support/server.js';

const payout: Payout = {
  id: 'w1',
  amountUsdCents: 41_236,
  status: 'requested',
  requestedAt: '2026-11-20T12:00:00.000Z',
  settledAt: null,
  transferId: null,
  reversedUsdCents: 0,
  failure: null,
};

let server: StubServer;
let status: ConnectStatus;
let balance: CreatorBalance;
let went: string[];

beforeEach(() => {
  went = [];
  status = {
    connected: true,
    payoutsEnabled: true,
    chargesEnabled: true,
    accountId: 'acct_1',
    requirements: [],
    needs: [],
    neededBy: null,
    country: 'US',
  };
  balance = {
    totalEarningsMicroUsd: 2_683_760_000,
    availableMicroUsd: 412_369_999,
    heldMicroUsd: 131_400_000,
    inDoubtMicroUsd: 0,
    heldUntil: '2026-12-04T12:00:00.000Z',
    paidUsdCents: 214_000,
    minimumUsdCents: 1_000,
    inFlight: null,
  };
  server = new StubServer({
    'GET /api/creator': creatorWith({ displayName: 'Noor Haddad', handle: 'Noor' }),
    'GET /api/stripe/connect/status/noor': () => ({ json: status }),
    'GET /api/creator/balance': () => ({ json: balance }),
    'GET /api/stripe/connect/countries': { json: { home: 'US', items: ['US', 'DE'] } },
    'GET /api/creator/statements': { json: { items: [], nextCursor: null } },
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs({ ...NOOR, isCreator: true });
});
afterEach(async () => {
  jest.useRealTimers();
  await leave();
});

const open = (address = '/dashboard') =>
  renderAt(address, <PayoutCard leave={(url) => void went.push(url)} />);
const chooseCountry = async () =>
  userEvent.selectOptions(await screen.findByRole('combobox'), 'United States');
const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name });
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));

describe('connecting', () => {
  beforeEach(() => {
    status = {
      connected: false,
      payoutsEnabled: false,
      chargesEnabled: false,
      accountId: null,
      requirements: [],
      needs: [],
      neededBy: null,
      country: null,
    };
  });

  it('[PAY-22] asks for the country first, and says that it stays', async () => {
    server.on('POST /api/stripe/connect/create-account', { json: { url: 'https://connect.example/setup' } });
    open();
    const choice = await screen.findByRole('combobox', { name: 'Country of your home and bank' });
    await shown('It cannot be changed later.');
    await userEvent.click(await button('Connect with Stripe'));
    await shown('Choose your country first');
    expect(server.seen('POST /api/stripe/connect/create-account')).toHaveLength(0);
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Choose a country',
      'Germany',
      'United States',
    ]);
    await userEvent.selectOptions(choice, 'Germany');
    await shown('in the currency of your bank');
    await userEvent.click(await button('Connect with Stripe'));
    await waitFor(() => expect(went).toHaveLength(1));
    expect(server.seen('POST /api/stripe/connect/create-account')[0]?.body).toMatchObject({ country: 'DE' });
  });

  it('[PAY-01] connects, says that it is busy, and leaves for the address that comes back', async () => {
    let answer: (value: { json: unknown }) => void = () => undefined;
    server.on('POST /api/stripe/connect/create-account', () => new Promise((resolve) => (answer = resolve)));
    open();
    await chooseCountry();
    await userEvent.click(await button('Connect with Stripe'));
    expect((await button('Connecting...')).getAttribute('aria-disabled')).toBe('true');
    expect(server.seen('POST /api/stripe/connect/create-account')[0]?.body).toEqual({
      userId: 'noor',
      email: NOOR.email,
      country: 'US',
    });
    await act(async () => answer({ json: { url: 'https://connect.example/setup' } }));
    await waitFor(() => expect(went).toEqual(['https://connect.example/setup']));
  });

  it.each([
    [{ status: 503, json: null }, 'Server returned invalid response (503). Please try again.'],
    [{ status: 403, json: { error: 'Not yours' } }, 'Server error (403): Not yours'],
    [{ status: 500, json: { title: 'x' } }, 'Server error (500): Unknown error'],
    [{ json: {} }, 'Failed to start Stripe onboarding: No URL returned'],
    [{ json: { error: 'Try later' } }, 'Failed to start Stripe onboarding: Try later'],
    ['lost', 'Failed to start Stripe onboarding: Network error'],
  ] as const)('[PAY-06] answer %# says what went wrong, and one can try again', async (answer, message) => {
    server.on('POST /api/stripe/connect/create-account', () => {
      if (answer === 'lost') throw new TypeError('Failed to fetch');
      // The stub turns "no JSON" into an empty object; a text stands for a proxy's page.
      return { ...(answer.json === null ? { status: 503, json: 'down' } : answer), foreign: true };
    });
    open();
    await chooseCountry();
    await userEvent.click(await button('Connect with Stripe'));
    await shown(message);
    act(() => settleAlert(true));
    expect((await button('Connect with Stripe')).disabled).toBe(false);
    expect(went).toEqual([]);
  });
});

describe('coming back', () => {
  it('[PAY-02, PAY-04] after success the status is checked again after 2 s and the address cleaned', async () => {
    status = { ...status, payoutsEnabled: false, requirements: ['external_account'] };
    jest.useFakeTimers();
    const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
    const { path } = open('/dashboard?stripe_onboarding=success');
    await pass(1_999);
    const waiting = screen.getByRole<HTMLButtonElement>('button', {
      name: 'Withdraw (Verification Required)',
    });
    expect(waiting.disabled).toBe(true);
    expect(server.seen('GET /api/stripe/connect/status/noor')).toHaveLength(1);
    expect(path()).toBe('/dashboard?stripe_onboarding=success');
    status = { ...status, payoutsEnabled: true, requirements: [] };
    await pass(1);
    expect(path()).toBe('/dashboard');
    jest.useRealTimers();
    expect((await button('Withdraw')).disabled).toBe(false);
    expect(server.seen('GET /api/stripe/connect/status/noor')).toHaveLength(2);
  });

  it('[PAY-05] after leaving early it asks to finish the setup', async () => {
    status = { ...status, payoutsEnabled: false };
    const { path } = open('/dashboard?stripe_onboarding=refresh');
    await shown('Please complete your Stripe account setup to start receiving payments.');
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });
});

describe('what Stripe asks for', () => {
  const needs = [
    { text: 'A photo of your passport or identity card', late: true, problem: 'The photo is blurred.' },
    { text: 'Your address', late: false, problem: null },
  ];

  it('[PAY-23] is told in words, with what was wrong, and leads back to its page', async () => {
    status = { ...status, payoutsEnabled: false, needs };
    server.on('POST /api/stripe/connect/create-account', { json: { url: 'https://connect.example/setup' } });
    open();
    await shown('Stripe still needs from you');
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'A photo of your passport or identity cardThe photo is blurred.Until it is there, nothing is paid.',
      'Your address',
    ]);
    await userEvent.click(await button('Finish the setup with Stripe'));
    await waitFor(() => expect(went).toEqual(['https://connect.example/setup']));
  });

  it('[PAY-23] is told with its day while money can still be sent', async () => {
    status = { ...status, needs: needs.slice(1), neededBy: '2026-12-04T12:00:00.000Z' };
    open();
    await shown('Stripe needs from you by 4 December 2026');
    expect((await button('Withdraw')).disabled).toBe(false);
  });
});

describe('withdrawing', () => {
  it('shows what is available, held and paid', async () => {
    open();
    await shown('$412.36');
    await shown('On hold, released by 4 Dec');
    await shown('$131.40');
    await shown('$2,140.00');
  });

  it('[PAY-08] says why less than nothing is available, and offers no withdrawal of it', async () => {
    balance = { ...balance, availableMicroUsd: -4_320_000 };
    open();
    expect((await button('Withdraw')).disabled).toBe(true);
    await shown('\u2212$4.32');
    await shown('Your next earnings cover that amount first.');
  });

  it('[PAY-09] says why a payout failed', async () => {
    const failed = { ...payout, status: 'failed', failure: 'The account cannot take transfers.' };
    server.on('GET /api/creator/statements', { json: { items: [failed], nextCursor: null } });
    open();
    await shown('The account cannot take transfers.');
    expect(screen.queryByRole('link', { name: /Statement/ })).toBeNull();
  });

  it('[PAY-03] asks, withdraws all of it once with one key, and waits for the outcome', async () => {
    server.on('POST /api/creator/withdrawals', () => {
      balance = { ...balance, availableMicroUsd: 9_999, inFlight: payout };
      return { status: 201, json: payout };
    });
    open();
    await userEvent.click(await button('Withdraw'));
    await shown('Withdraw $412.36?');
    await act(async () => settleAlert(true));
    await shown('$412.36 is on its way');
    const [request] = server.seen('POST /api/creator/withdrawals');
    expect(request?.body).toEqual({ amountUsdCents: 41_236 });
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    await waitFor(async () => expect((await button('Withdraw')).getAttribute('aria-disabled')).toBe('true'));
    expect(server.seen('POST /api/creator/withdrawals')).toHaveLength(1);
  });

  it('[PAY-03] [WEB-14] keeps its key while no answer comes, and moves nothing below 10 USD', async () => {
    open();
    // After the second answer, the first request is still in progress and may move the money.
    for (const code of ['InternalError', 'IdempotencyInFlight', 'InternalError'] as const) {
      server.on('POST /api/creator/withdrawals', refused(code));
      await userEvent.click(await button('Withdraw'));
      await shown('Withdraw $412.36?');
      await act(async () => settleAlert(true));
      await shown('We do not know yet whether it was withdrawn');
      act(() => dismissToast());
    }
    const sent = server
      .seen('POST /api/creator/withdrawals')
      .map(({ headers }) => headers['idempotency-key']);
    expect(sent.length).toBeGreaterThanOrEqual(3);
    expect(new Set(sent).size).toBe(1);
    cleanup();
    balance = { ...balance, availableMicroUsd: 9_990_000 };
    open();
    await userEvent.click(await button('Withdraw'));
    await shown('Withdrawals start at $10.00.');
    expect(server.seen('POST /api/creator/withdrawals')).toHaveLength(sent.length);
  });

  it('[PAY-09] lists the latest payouts with their statements', async () => {
    const items = [
      { ...payout, status: 'paid' },
      { ...payout, id: 'w0', status: 'failed' },
    ];
    server.on('GET /api/creator/statements', { json: { items, nextCursor: null } });
    open();
    const link = await screen.findByRole('link', { name: 'Statement of 20 November 2026' });
    expect(link.getAttribute('href')).toBe('/api/creator/statements/w1.csv');
    expect(screen.getAllByRole('link')).toHaveLength(1);
  });

  it('is not shown to those who are no approved creators', async () => {
    server.on('GET /api/creator', exampleWith('GET /api/creator', { status: 'applied' }));
    open();
    await waitFor(() => expect(server.seen('GET /api/creator')).toHaveLength(1));
    expect(document.body.textContent).not.toContain('Payouts');
    expect(server.seen('GET /api/creator/balance')).toHaveLength(0);
  });
});
