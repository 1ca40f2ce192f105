import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { query } from '../../web/src/api/api.js';
import { PLANS } from '../../domain/subscriptions/plans.js';
import { PRODUCTS } from '../../domain/subscriptions/products.js';
import { buy, openOutside } from '../../web/src/plans/checkout.js';
import { type Intent, carryOnAfterSignIn, pageOfMailedIntent } from '../../web/src/session/after-sign-in.js';
import PlanCards from '../../web/src/plans/plan-cards.js';
import SettingsScreen from '../../web/src/screens/settings/settings-screen.js';
import { loadSession, signOut } from '../../web/src/session/session.js';
import { notifyInsufficient } from '../../web/src/downloads/download-alerts.js';
import { closeSignIn } from '../../web/src/session/sign-in-request.js';
import { signUp } from '../../web/src/sign-in/sign-in-flow.js';
import { pageWith } from './support/page.js';
import { leave, NOOR, renderAt, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';

const SettingsPage = pageWith('settings', SettingsScreen);

const CHECKOUT = 'POST /api/checkout';
const URL = 'https://checkout.example/session';
const PREMIUM = {
  plan: 'premium',
  status: 'active',
  currentPeriodEnd: '2026-12-18T09:00:00Z',
  scheduledChange: null,
  pendingChange: null,
};
const UNATTENDED = { needs: null, expiresAt: null };
const lot = (id: string, creditsLeft: number) => ({
  id,
  source: 'monthly_grant',
  creditsGranted: creditsLeft,
  creditsLeft,
  valueMicroUsd: 1,
  grantedAt: '2026-11-18T09:00:00Z',
  frozen: false,
});

/** Shows the balance as the header of every page does. */
function Balance() {
  const { data } = useQuery(query('GET /api/credits'));
  return <p>{data?.balance} credits</p>;
}

let server: StubServer;

beforeEach(() => {
  localStorage.clear();
  server = new StubServer({
    'GET /api/plans': { json: { items: PLANS } },
    'GET /api/products': { json: { items: PRODUCTS } },
    'GET /api/subscription': { json: PREMIUM },
    'GET /api/credits': { json: { balance: 128, lots: [lot('old', 28), lot('new', 100)] } },
    'GET /api/credits/ledger': { json: { items: [], nextCursor: null } },
    'GET /api/creator': creatorWith({ status: 'none', handle: null, displayName: 'Noor Haddad' }),
    'POST /api/auth/sign-out': { status: 204 },
    [CHECKOUT]: { json: { url: URL } },
  });
  signedInAs(NOOR);
});

afterEach(leave);

function tab() {
  return {
    opener: 'page',
    location: { href: '' },
    closed: false,
    close() {
      this.closed = true;
    },
  };
}
type Tab = ReturnType<typeof tab>;
const frameWith = (opened: Tab | null, framed = false) => {
  const left: string[] = [];
  return {
    left,
    frame: {
      framed,
      openTab: () => opened as unknown as Window | null,
      leaveTop: (url: string) => left.push(`top ${url}`),
      leave: (url: string) => left.push(`here ${url}`),
    },
  };
};

describe('lots', () => {
  it('[SET-03] marks those that are frozen, apart from what can be spent', async () => {
    server.on('GET /api/credits', {
      json: { balance: 28, lots: [{ ...lot('held', 40), frozen: true }, lot('old', 28)] },
    });
    renderAt('/settings?tab=credits', <SettingsPage />);
    const list = within(await screen.findByRole('list', { name: 'Credits in the order they are spent' }));
    const rows = list.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows).toEqual([
      expect.stringMatching(/^28Monthly .*Nov$/),
      expect.stringMatching(/^40.*frozenNot in the balance while its payment is disputed$/),
    ]);
    expect(screen.getByRole('img', { name: /28 credits: .*; 40 frozen credits: / })).toBeTruthy();
  });

  it.each([6, 7])('[SET-700] names each of six lots, and combines the last of more (%i)', async (count) => {
    const lots = Array.from({ length: count }, (_, n) => lot(`l${n}`, 10 + n));
    server.on('GET /api/credits', { json: { balance: 87, lots } });
    renderAt('/settings?tab=credits', <SettingsPage />);
    const list = await screen.findByRole('list', { name: 'Credits in the order they are spent' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(6);
    expect(within(list).queryAllByText('later ones')).toHaveLength(count - 6);
    const bar = screen.getByRole('img', { name: /^10 credits: Monthly/ });
    expect(bar.getAttribute('aria-label')?.includes(`${15 + 16} credits: later ones`)).toBe(count > 6);
  });
});

describe('top-ups', () => {
  const bought = { ...lot('bought', 50), source: 'top_up' };

  it.each([
    ['the plans page', '/', PlanCards],
    ['Settings', '/settings?tab=credits', SettingsPage],
  ] as const)(
    '[SELL-728] stand below the plans on %s, and one press opens one payment page',
    async (_place, path, Screen) => {
      let answer = (): void => undefined;
      const asked = new Promise<void>((resolve) => (answer = resolve));
      server.on(CHECKOUT, async () => {
        await asked;
        return { json: { url: URL } };
      });
      renderAt(path, <Screen />);
      const section = within(await screen.findByRole('region', { name: 'Top-ups' }));
      const cards = (await section.findAllByRole('article')).map(({ textContent }) => textContent);
      expect(cards).toEqual([
        expect.stringMatching(/^25 credits\$5\.99once, 24¢ each.*Buy 25 credits$/),
        expect.stringMatching(/^50 credits\$10\.99once, 22¢ each.*Buy 50 credits$/),
        expect.stringMatching(/^100 credits\$20\.99once, 21¢ each.*Buy 100 credits$/),
      ]);
      const opened = tab();
      const open = jest.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
      const button = section.getByRole('button', { name: 'Buy 50 credits' });
      await userEvent.click(button);
      await userEvent.click(button);
      answer();
      await waitFor(() => expect(opened.location.href).toBe(URL));
      expect(server.seen(CHECKOUT).map(({ body }) => body)).toEqual([{ product: 'top-up-50', consent: '1' }]);
      expect(open).toHaveBeenCalledTimes(1);
      open.mockRestore();
    },
  );

  it('[SELL-728] say why they could not be loaded, and load when asked again', async () => {
    server.on('GET /api/products', refused('TooManyRequests'));
    renderAt('/', <PlanCards />);
    await screen.findByText('The top-ups could not be loaded');
    expect(screen.queryByRole('button', { name: /^Buy/ })).toBeNull();
    server.on('GET /api/products', { json: { items: PRODUCTS } });
    await userEvent.click(screen.getByRole('button', { name: /try again/i }));
    await screen.findByRole('button', { name: 'Buy 25 credits' });
  });

  it('[SELL-728] ask visitors to sign in, and send nothing', async () => {
    await signOut();
    renderAt('/', <PlanCards />);
    await userEvent.click(await screen.findByRole('button', { name: 'Buy 25 credits' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Sign In Required' });
    expect(alert.textContent).toContain('Please sign in to buy credits');
    expect(server.seen(CHECKOUT)).toHaveLength(0);
  });

  it('[SELL-728] arrive on the page that a paid checkout returns to, and in the tab that opened it', async () => {
    let paid = false;
    server.on('GET /api/credits', () => ({
      json: paid ? { balance: 78, lots: [lot('old', 28), bought] } : { balance: 28, lots: [lot('old', 28)] },
    }));
    renderAt('/sounds', <Balance />);
    await screen.findByText('28 credits');
    await buy('top-up-50', 'prices', frameWith(tab()).frame);
    paid = true;
    act(() => void window.dispatchEvent(new Event('focus')));
    await screen.findByText('78 credits');
    paid = false;
    renderAt('/settings?checkout=success', <SettingsPage />);
    await screen.findByText('Waiting for your credits');
    paid = true;
    await screen.findByText('50 credits arrived');
    const list = await screen.findByRole('list', { name: 'Credits in the order they are spent' });
    expect(list.textContent).toContain('50Top-up, ');
  });

  it('[SELL-729] are offered where credits are short, beside the way to Settings', async () => {
    const opened = tab();
    const open = jest.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
    renderAt('/sounds', null);
    await act(() => notifyInsufficient(2, () => undefined, null));
    const alert = within(await screen.findByRole('alertdialog', { name: 'Insufficient Credits' }));
    expect(alert.getByText(/You have 2 credits remaining/)).toBeTruthy();
    expect(alert.getByRole('button', { name: 'Go to Settings' })).toBeTruthy();
    await userEvent.click(await alert.findByRole('button', { name: 'Buy 25 credits' }));
    await waitFor(() => expect(opened.location.href).toBe(URL));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    open.mockRestore();
  });

  it('[SELL-729] whose payment page cannot be opened say so, and leave the shortage to Settings', async () => {
    server.on(CHECKOUT, { status: 503, json: { code: 'PaymentsUnavailable', title: 'No' } });
    const opened = tab();
    const open = jest.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
    renderAt('/sounds', null);
    await act(() => notifyInsufficient(2, () => undefined, null));
    await userEvent.click(await screen.findByRole('button', { name: 'Buy 25 credits' }));
    await screen.findByRole('alertdialog', { name: 'Checkout Error' });
    expect(opened.closed).toBe(true);
    open.mockRestore();
  });
});

describe('checkout', () => {
  it('[CRED-02] asks for the plan and opens the payment page in a tab opened with the press', async () => {
    const opened = tab();
    let openWhenAsked = false;
    server.on(CHECKOUT, () => {
      openWhenAsked = opened.opener === null;
      return { json: { url: URL } };
    });
    await buy('premium', 'prices', frameWith(opened).frame);
    expect(opened.location.href).toBe(URL);
    expect(openWhenAsked).toBe(true);
    const [request] = server.seen(CHECKOUT);
    expect(request?.body).toEqual({ product: 'premium', consent: '1' });
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('[CRED-02] leaves in the top window when framed, and here when the browser blocks tabs', async () => {
    const framed = frameWith(tab(), true);
    await buy('starter', 'prices', framed.frame);
    expect(framed.left).toEqual([`top ${URL}`]);
    const blocked = frameWith(null);
    await buy('starter', 'prices', blocked.frame);
    expect(blocked.left).toEqual([`here ${URL}`]);
  });

  it('[CRED-03] asks visitors to sign in and sends nothing', async () => {
    await signOut();
    renderAt('/', <PlanCards />);
    await userEvent.click(await screen.findByRole('button', { name: 'Choose Studio' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Sign In Required' });
    expect(alert.textContent).toContain('Please sign in to subscribe to a plan');
    expect(server.seen(CHECKOUT)).toHaveLength(0);
  });

  it.each([
    ['[CRED-03]', 'prices', 'Checkout Error', 'Unable to start checkout. Please try again.'],
    ['[SET-03]', 'settings', 'Error creating checkout session', 'Nothing was charged.'],
  ] as const)(
    '%s closes the tab and says on %s that the checkout failed',
    async (_id, place, title, text) => {
      server.on(CHECKOUT, { status: 503, json: { code: 'PaymentsUnavailable', title: 'No' } });
      renderAt('/', null);
      const opened = tab();
      void act(() => void buy('premium', place, frameWith(opened).frame));
      const alert = await screen.findByRole('alertdialog', { name: title });
      expect(alert.textContent).toContain(text);
      expect(opened.closed).toBe(true);
      expect(opened.location.href).toBe('');
    },
  );

  it.each(['prices', 'settings'] as const)(
    '[CRED-32] on %s a plan that runs already is told for what it is, and shown from then on',
    async (place) => {
      server.on(CHECKOUT, {
        status: 409,
        json: { code: 'SubscriptionExists', title: 'There is one', plan: 'premium' },
      });
      renderAt('/', <PlanCards />);
      await screen.findByText('Starter');
      const before = server.seen('GET /api/subscription').length;
      void act(() => void buy('premium', place, frameWith(tab()).frame));
      const alert = await screen.findByRole('alertdialog', { name: 'You have a plan already' });
      expect(alert.textContent).toContain('Nothing was charged.');
      await waitFor(() => expect(server.seen('GET /api/subscription').length).toBeGreaterThan(before));
    },
  );

  it('[CRED-32] any other refusal is told in the server’s words', async () => {
    server.on(CHECKOUT, refused('TooManyRequests'));
    renderAt('/', null);
    void act(() => void buy('premium', 'settings', frameWith(tab()).frame));
    const alert = await screen.findByRole('alertdialog', { name: 'Error creating checkout session' });
    expect(alert.textContent).toContain('Too many requests');
  });

  it('[CRED-32] the tab that opened the payment page learns that the plan runs, wherever it is by then', async () => {
    let running = false;
    server.on('GET /api/subscription', () => ({
      json: running ? PREMIUM : { ...PREMIUM, plan: null, status: 'none', currentPeriodEnd: null },
    }));
    server.on('GET /api/credits', () => ({
      json: running ? { balance: 100, lots: [lot('new', 100)] } : { balance: 0, lots: [] },
    }));
    renderAt('/sounds', <Balance />);
    await screen.findByText('0 credits');
    await buy('premium', 'settings', frameWith(tab()).frame);
    running = true;
    act(() => void window.dispatchEvent(new Event('focus')));
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await screen.findByText('100 credits');
    const asked = server.seen('GET /api/subscription').length;
    act(() => void window.dispatchEvent(new Event('focus')));
    expect(server.seen('GET /api/subscription')).toHaveLength(asked);
  });

  it('never hands this page to the payment page', async () => {
    const opened = tab();
    await openOutside(() => Promise.resolve({ url: URL }), frameWith(opened).frame);
    expect(opened.opener).toBeNull();
  });
});

describe('a plan chosen before signing in', () => {
  const signedInNow = () => act(() => signedInAs(NOOR));
  let chosen: Intent[];
  let stop: () => void;
  beforeEach(async () => {
    sessionStorage.clear();
    localStorage.clear();
    chosen = [];
    stop = carryOnAfterSignIn((plan) => chosen.push(plan));
    await signOut();
    renderAt('/', <PlanCards />);
    await userEvent.click(await screen.findByRole('button', { name: 'Choose Studio' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
  });
  afterEach(() => stop());

  it('[CRED-33] carries on to its checkout once signed in or up, once', () => {
    expect(chosen).toEqual([]);
    signedInNow();
    expect(chosen).toEqual([{ kind: 'buy', product: 'studio', place: 'prices' }]);
    signedInNow();
    expect(chosen).toHaveLength(1);
  });

  it('[CRED-33] is forgotten when the dialog is closed without signing in', () => {
    act(() => closeSignIn());
    signedInNow();
    expect(chosen).toEqual([]);
  });

  it('[AUTH-420] carries on after a sign-in at Google, which opens the page again', async () => {
    server.on('GET /api/auth/session', { json: { user: NOOR, expiresAt: 2_000_000_000 } });
    await act(() => loadSession());
    expect(chosen).toEqual([{ kind: 'buy', product: 'studio', place: 'prices' }]);
  });

  it.each([
    ['noor@paperround.fm', 1],
    ['somebody-else@paperround.fm', 0],
  ])('[CRED-33] [AUTH-420] waits for the mail that confirms the address (%s)', async (email, times) => {
    server.on('POST /api/auth/sign-up', { json: { user: null, session: null } });
    server.on('POST /api/auth/sign-in', {
      status: 403,
      json: { code: 'EmailNotConfirmed', title: 'Confirm' },
    });
    await act(() => signUp({ email, password: 'a fine pass phrase' }));
    act(() => closeSignIn());
    // The link in the mail opens another tab.
    sessionStorage.clear();
    expect(pageOfMailedIntent()).toBe(window.location.pathname);
    signedInNow();
    expect(chosen).toHaveLength(times);
  });
});

describe('the price list', () => {
  it('[CRED-01] [HOME-05] shows the three plans with price, credits and what marks them', async () => {
    await signOut();
    renderAt('/', <PlanCards />);
    await screen.findByText('Starter');
    const cards = screen.getAllByRole('article').map((card) => card.textContent ?? '');
    expect(cards[0]).toMatch(/Starter\$9\.99per month50 credits/);
    expect(cards[1]).toMatch(/PremiumPopular\$15\.99per month100 credits.*Priority support/);
    expect(cards[2]).toMatch(/Studio\$19\.99per month150 credits.*Stems when available/);
    expect(screen.getAllByText('Popular')).toHaveLength(1);
  });

  it('[HOME-420] marks the plan that the visitor has, also while a payment is open', async () => {
    act(() => signedInAs(NOOR));
    server.on('GET /api/subscription', { json: { ...PREMIUM, status: 'past_due' } });
    renderAt('/', <PlanCards />);
    await screen.findByText('Your plan');
    const buttons = screen
      .getAllByRole('button', { name: /plan|Change/ })
      .map(({ textContent }) => textContent);
    expect(buttons).toEqual(['Change to Starter', 'Manage plan', 'Change to Studio']);
  });
});

describe('the plan in Settings', () => {
  it('[SET-06] [CRED-07] offers every change with its date, and sends an upgrade only after asking', async () => {
    server.on('POST /api/subscription/change', { json: { ...PREMIUM, plan: 'studio' } });
    renderAt('/settings?tab=credits', <SettingsPage />);
    await screen.findByRole('button', { name: 'Switch to Starter on 18 Dec' });
    expect(screen.getByRole('button', { name: 'Cancel plan' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Upgrade to Studio' }));
    const question = await screen.findByRole('alertdialog', { name: 'Upgrade to Studio?' });
    expect(question.textContent).toContain('$19.99 is charged today, 150 credits are added');
    expect(server.seen('POST /api/subscription/change')).toHaveLength(0);
    await userEvent.click(within(question).getByRole('button', { name: 'Upgrade' }));
    await screen.findByText('Waiting for your credits');
    const [request] = server.seen('POST /api/subscription/change');
    expect(request?.body).toEqual({ plan: 'studio' });
    expect(request?.headers['idempotency-key']).toBeTruthy();
  });

  it('[CRED-30] [SET-06] says what is under way, lets nothing else be changed, and shows the outcome', async () => {
    const pendingChange = {
      kind: 'upgrade',
      plan: 'studio',
      requestedAt: '2026-11-18T09:00:00Z',
      ...UNATTENDED,
    };
    let done = false;
    server.on('GET /api/subscription', () => ({
      json: done ? { ...PREMIUM, plan: 'studio', pendingChange: null } : { ...PREMIUM, pendingChange },
    }));
    renderAt('/settings?tab=credits', <SettingsPage />);
    await screen.findByText('Premium. The change to Studio is waiting for the payment service.');
    for (const name of ['Upgrade to Studio', 'Cancel plan', 'Switch to Starter on 18 Dec'])
      expect((screen.getByRole('button', { name }) as HTMLButtonElement).disabled).toBe(true);
    const credits = server.seen('GET /api/credits').length;
    done = true;
    await screen.findByRole('button', { name: 'Switch to Premium on 18 Dec' });
    await waitFor(() => expect(server.seen('GET /api/credits').length).toBeGreaterThan(credits));
  });

  it('[CRED-30] [SET-06] a change without an answer yet is under way, not done', async () => {
    const pendingChange = { kind: 'cancel', plan: null, requestedAt: '2026-11-18T09:00:00Z', ...UNATTENDED };
    server.on('POST /api/subscription/cancel', { status: 202, json: { ...PREMIUM, pendingChange } });
    renderAt('/settings?tab=credits', <SettingsPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel plan' }));
    const question = await screen.findByRole('alertdialog', { name: 'Cancel plan?' });
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel plan' }));
    await screen.findByText('The change is under way');
    expect(screen.queryByText('Plan cancelled')).toBeNull();
  });

  describe('an upgrade that awaits its payer', () => {
    const pendingChange = {
      kind: 'upgrade',
      plan: 'studio',
      requestedAt: '2026-11-18T09:00:00Z',
      needs: 'confirmation',
      expiresAt: '2026-11-19T08:00:00Z',
    };
    const AWAITING = { ...PREMIUM, pendingChange };

    it('[CRED-43] leads to the bank’s question, and shows the plan and its credits once it is answered', async () => {
      const opened = tab();
      const open = jest.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
      let paid = false;
      server.on('POST /api/subscription/change', { status: 202, json: AWAITING });
      server.on('POST /api/subscription/pending/pay', { json: { url: 'https://pay.example/in_2' } });
      server.on('GET /api/credits', () => ({
        json: { balance: paid ? 178 : 28, lots: [lot('old', 28), ...(paid ? [lot('new', 150)] : [])] },
      }));
      renderAt('/settings?tab=credits', <SettingsPage />);
      await userEvent.click(await screen.findByRole('button', { name: 'Upgrade to Studio' }));
      server.on('GET /api/subscription', () => ({ json: paid ? { ...PREMIUM, plan: 'studio' } : AWAITING }));
      const question = await screen.findByRole('alertdialog', { name: 'Upgrade to Studio?' });
      await userEvent.click(within(question).getByRole('button', { name: 'Upgrade' }));
      const panel = (await screen.findByText('Your bank wants you to confirm')).closest('[role=status]');
      expect(panel?.textContent).toMatch(
        /Studio costs \$19\.99\. You stay on Premium, .* until .* 19 November 2026/,
      );
      expect(screen.queryByText(/declined|under way/)).toBeNull();
      await userEvent.click(screen.getByRole('button', { name: 'Confirm payment' }));
      await waitFor(() => expect(opened.location.href).toBe('https://pay.example/in_2'));
      paid = true;
      act(() => void window.dispatchEvent(new Event('visibilitychange')));
      await screen.findByText('150 credits arrived');
      expect(screen.queryByText('Your bank wants you to confirm')).toBeNull();
      open.mockRestore();
    });

    it('[CRED-43] says that a card was refused, and stays on the old plan where that is wanted', async () => {
      const refusedCard = { ...PREMIUM, pendingChange: { ...pendingChange, needs: 'another card' } };
      server.on('GET /api/subscription', { json: refusedCard });
      server.on('POST /api/subscription/pending/withdraw', () => {
        server.on('GET /api/subscription', { json: PREMIUM });
        return { json: PREMIUM };
      });
      renderAt('/settings?tab=credits', <SettingsPage />);
      await screen.findByText('Your card was refused');
      screen.getByRole('button', { name: 'Pay with another card' });
      await userEvent.click(screen.getByRole('button', { name: 'Stay on Premium' }));
      await screen.findByText('You stay on Premium');
      expect(screen.queryByText('Your card was refused')).toBeNull();
      expect(
        server.seen('POST /api/subscription/pending/withdraw')[0]?.headers['idempotency-key'],
      ).toBeTruthy();
    });
  });

  it('[TAX-12] says that tax comes on top, in Settings and in the price list', async () => {
    server.on('GET /api/plans', { json: { items: PLANS.map((plan) => ({ ...plan, plusTax: true })) } });
    renderAt('/settings?tab=credits', <SettingsPage />);
    expect(await screen.findAllByText('per month, plus tax')).toHaveLength(3);
    cleanup();
    renderAt('/', <PlanCards />);
    expect(await screen.findAllByText('per month, plus tax')).toHaveLength(3);
  });

  it('[CRED-45] leads to where a bill that failed is paid', async () => {
    const opened = tab();
    const open = jest.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
    server.on('GET /api/subscription', { json: { ...PREMIUM, status: 'past_due' } });
    server.on('POST /api/subscription/pending/pay', { json: { url: 'https://pay.example/in_3' } });
    renderAt('/settings?tab=credits', <SettingsPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Pay now' }));
    await waitFor(() => expect(opened.location.href).toBe('https://pay.example/in_3'));
    open.mockRestore();
  });

  it('[WEB-82] says before an upgrade that a bill is open, and leads to where it is paid', async () => {
    const opened = tab();
    const open = jest.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
    server.on('GET /api/subscription', { json: { ...PREMIUM, status: 'past_due' } });
    server.on('POST /api/subscription/pending/pay', { json: { url: 'https://pay.example/in_3' } });
    renderAt('/settings?tab=credits', <SettingsPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Upgrade to Studio' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Pay the open bill first' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Pay now' }));
    await waitFor(() => expect(opened.location.href).toBe('https://pay.example/in_3'));
    expect(server.seen('POST /api/subscription/change')).toHaveLength(0);
    open.mockRestore();
  });

  it('[SET-06] withdraws a scheduled cancellation', async () => {
    const scheduledChange = { kind: 'cancel', plan: null, effectiveAt: '2026-12-18T09:00:00Z' };
    server.on('GET /api/subscription', { json: { ...PREMIUM, scheduledChange } });
    server.on('POST /api/subscription/resume', () => {
      server.on('GET /api/subscription', { json: PREMIUM });
      return { json: PREMIUM };
    });
    renderAt('/settings?tab=credits', <SettingsPage />);
    await screen.findByText('Premium, ends on 18 December 2026');
    await userEvent.click(screen.getByRole('button', { name: 'Keep Premium' }));
    await screen.findByRole('button', { name: 'Cancel plan' });
    expect(document.body.textContent).toContain('You stay on Premium');
    expect(server.seen('POST /api/subscription/resume')).toHaveLength(1);
  });

  it('[CRED-05] after the payment page waits for the grant, and tells when it has arrived', async () => {
    localStorage.setItem('checkout-lots', '["old"]');
    let paid = false;
    server.on('GET /api/credits', () => ({
      json: paid
        ? { balance: 128, lots: [lot('old', 28), lot('new', 100)] }
        : { balance: 28, lots: [lot('old', 28)] },
    }));
    renderAt('/settings?checkout=success', <SettingsPage />);
    await screen.findByText('Waiting for your credits');
    expect(screen.queryByText('100 credits arrived')).toBeNull();
    paid = true;
    await screen.findByText('100 credits arrived');
    expect(screen.getByText('Your balance is 128 credits.')).toBeTruthy();
  });

  it('says after a cancelled checkout that nothing was charged', async () => {
    renderAt('/settings?checkout=cancelled', <SettingsPage />);
    await screen.findByText('Checkout cancelled');
    expect(screen.getByText('Nothing was charged.')).toBeTruthy();
    expect(screen.queryByText('Waiting for your credits')).toBeNull();
  });
});

describe('transactions', () => {
  it('[SET-04] [SET-05] lists the latest ten, newest first, signed and named', async () => {
    const reasons = ['download', 'monthly_grant', 'admin_adjustment', 'refund', 'chargeback', 'promotion'];
    server.on('GET /api/credits/ledger', ({ query }) => ({
      json: {
        items: Array.from({ length: Number(query.get('limit')) }, (_, at) => ({
          id: `line-${at}`,
          reason: reasons[at % reasons.length],
          delta: at % 2 === 0 ? -1 : 20,
          balanceAfter: 100 - at,
          createdAt: `2026-11-20T14:${String(at % 60).padStart(2, '0')}:02Z`,
          sample: null,
        })),
        nextCursor: null,
      },
    }));
    renderAt('/settings?tab=credits', <SettingsPage />);
    const list = within(screen.getByRole('region', { name: 'Transactions' }));
    await list.findAllByRole('listitem');
    const rows = list.getAllByRole('listitem');
    expect(rows).toHaveLength(10);
    const texts = rows.map((row) => row.textContent ?? '');
    expect(texts[0]).toContain('Download');
    expect(texts[0]).toContain('\u22121');
    expect(texts[1]).toContain('Monthly Credits');
    expect(texts[1]).toContain('+20');
    for (const [at, name] of ['Admin Adjustment', 'Refund', 'Chargeback', 'Promotion'].entries()) {
      expect(texts[at + 2]).toContain(name);
    }
    expect(within(rows[0] as HTMLElement).getByText('\u22121').className).toContain('text-danger');
    expect(within(rows[1] as HTMLElement).getByText('+20').className).toContain('text-ok');
  });

  it('[SET-420] names what was bought, with a whole pack in one line', async () => {
    const line = (at: number, packId: string, second: number) => ({
      id: `line-${at}`,
      reason: 'download',
      delta: -2,
      balanceAfter: 100 + 2 * at,
      createdAt: `2026-11-20T14:02:0${second}Z`,
      sample: {
        id: `s${at}`,
        title: `Sound ${at}`,
        packId,
        pack: `Pack ${packId}`,
        genre: 'Soul',
        artworkUrl: null,
      },
    });
    const items = [line(0, 'one', 9), line(1, 'one', 8), line(2, 'one', 8), line(3, 'two', 8)];
    server.on('GET /api/credits/ledger', { json: { items, nextCursor: null } });
    renderAt('/settings?tab=credits', <SettingsPage />);
    const list = within(screen.getByRole('region', { name: 'Transactions' }));
    const rows = (await list.findAllByRole('listitem')).map(({ textContent }) => textContent ?? '');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toContain('Sound 0Download · 100 credits after\u22122');
    expect(rows[1]).toContain('Pack one, 2 samplesDownload · 102 credits after\u22124');
    expect(rows[2]).toContain('Sound 3');
    expect(list.getAllByRole('listitem').map((row) => row.querySelectorAll('.cover').length)).toEqual([
      1, 1, 1,
    ]);
  });

  it('[SET-04] says when there are none', async () => {
    renderAt('/settings?tab=credits', <SettingsPage />);
    await waitFor(() => expect(screen.getByText('No transactions yet')).toBeTruthy());
  });
});
