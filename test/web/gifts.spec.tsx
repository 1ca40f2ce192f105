import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { PRODUCTS } from '../../domain/subscriptions/products.js';
import AuthScreen from '../../web/src/screens/auth/auth-screen.js';
import GiftsScreen from '../../web/src/screens/gifts/gifts-screen.js';
import { signOut } from '../../web/src/session/session.js';
import { pageWith } from './support/page.js';
import { leave, renderAt, signedInAs, NOOR } from './support/render.js';
import { refused, StubServer } from './support/server.js';

const GiftsPage = pageWith('gifts', GiftsScreen);
const CODE = 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEEE';
const gift = (state: string, more: object = {}) => ({
  id: `gift-${state}`,
  name: 'Gift, 50 credits',
  credits: 50,
  email: 'ben@example.com',
  state,
  code: null,
  boughtAt: '2026-11-01T09:00:00Z',
  expiresAt: '2027-11-01T09:00:00Z',
  endedAt: null,
  ...more,
});

let server: StubServer;
beforeEach(() => {
  server = new StubServer({
    'GET /api/products': { json: { items: PRODUCTS } },
    'POST /api/auth/sign-out': { status: 204 },
    'GET /api/gifts': { json: { items: [gift('open', { code: CODE })], nextCursor: null } },
  });
  signedInAs(NOOR);
});
afterEach(leave);

describe('a code', () => {
  it('[GIFT-740] of the link in the mail is redeemed with one request for two presses', async () => {
    server.on('POST /api/gifts/redeem', { json: { credits: 50, balance: 75 } });
    renderAt(`/gifts#${CODE}`, <GiftsPage />);
    expect(((await screen.findByLabelText('Code')) as HTMLInputElement).value).toBe(CODE);
    await userEvent.dblClick(screen.getByRole('button', { name: 'Redeem' }));
    await screen.findByText('50 credits arrived');
    expect(screen.getByText('Your balance is 75 credits. They never expire.')).toBeDefined();
    expect(server.seen('POST /api/gifts/redeem').map(({ body }) => body)).toEqual([{ code: CODE }]);
  });

  it('[GIFT-748] of the link is still filled in after the sign-in, which sends no address with the code', async () => {
    await signOut();
    const { path } = renderAt(
      `/gifts#${CODE}`,
      <Routes>
        <Route path="/gifts" element={<GiftsPage />} />
        <Route path="/auth" element={<AuthScreen />} />
      </Routes>,
    );
    await userEvent.click(await screen.findByRole('link', { name: 'Sign In' }));
    expect(path()).toBe('/auth?returnTo=%2Fgifts');
    act(() => signedInAs(NOOR));
    expect(((await screen.findByLabelText('Code')) as HTMLInputElement).value).toBe(CODE);
  });

  it('[GIFT-748] of a link that was cut short opens the page', async () => {
    renderAt('/gifts#AAAAA%2', <GiftsPage />);
    expect(await screen.findByLabelText('Code')).toBeDefined();
  });

  it.each([
    ['GiftUnknown', {}, /No gift has this code/],
    ['GiftRedeemed', { own: true }, /You redeemed this code before/],
    ['GiftRedeemed', { own: false }, /This code was redeemed before/],
    ['GiftExpired', {}, /This code has expired/],
    ['GiftFrozen', {}, /A bank is deciding/],
    ['GiftWithdrawn', {}, /the code is worth nothing/],
  ] as const)('[GIFT-740] that is refused with %s is explained', async (code, more, text) => {
    server.on('POST /api/gifts/redeem', refused(code, more));
    renderAt('/gifts', <GiftsPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Redeem' }));
    await screen.findByText('Enter the code');
    await userEvent.type(screen.getByLabelText('Code'), 'aaaaa');
    await userEvent.click(screen.getByRole('button', { name: 'Redeem' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(text);
  });
});

describe('a gift', () => {
  it('[GIFT-741] is sold to an address, or to print', async () => {
    server.on('POST /api/checkout', { json: { url: 'https://checkout.example/session' } });
    const opened = { location: { href: '' }, close: jest.fn(), opener: {} };
    window.open = jest.fn(() => opened) as unknown as typeof window.open;
    renderAt('/gifts', <GiftsPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Pay $10.99 for 50 credits' }));
    await screen.findByText('Enter the e-mail address of the receiver');
    expect(server.seen('POST /api/checkout')).toEqual([]);
    await userEvent.type(screen.getByLabelText('E-mail address of the receiver'), 'ben@example.com');
    await userEvent.click(screen.getByRole('button', { name: /^Pay/ }));
    await waitFor(() => expect(opened.location.href).toBe('https://checkout.example/session'));
    await userEvent.selectOptions(screen.getByLabelText('Who gets the code'), 'print');
    await userEvent.selectOptions(screen.getByLabelText('How many of them'), '2');
    await userEvent.click(screen.getByRole('button', { name: 'Pay $21.98 for 100 credits' }));
    await waitFor(() => expect(server.seen('POST /api/checkout')).toHaveLength(2));
    expect(server.seen('POST /api/checkout').map(({ body }) => body)).toEqual([
      { product: 'top-up-50', quantity: 1, giftTo: 'ben@example.com', consent: '1' },
      { product: 'top-up-50', quantity: 2, giftTo: 'print', consent: '1' },
    ]);
  });

  it('[GIFT-760] is paid with a consent that speaks of the gift', async () => {
    renderAt('/gifts', <GiftsPage />);
    await screen.findByText(/^By paying for the gift you agree: “Deliver at once\./);
    expect(screen.queryByText(/plan or a top-up you agree/)).toBeNull();
  });

  it('[GIFT-741] is listed with its state; an open one has its code and a card to print', async () => {
    const states = ['frozen', 'redeemed', 'expired', 'withdrawn'].map((state) => gift(state));
    server.on('GET /api/gifts', {
      json: { items: [gift('open', { code: CODE }), ...states], nextCursor: null },
    });
    const { unmount } = renderAt('/gifts', <GiftsPage />);
    const list = within(await screen.findByRole('region', { name: 'Gifts you bought' }));
    for (const label of ['Not redeemed', 'Frozen', 'Redeemed', 'Expired', 'Refunded'])
      expect(list.getByText(label)).toBeDefined();
    expect(list.getAllByText(CODE)).toHaveLength(1);
    expect(list.getByRole('link', { name: 'Print Gift, 50 credits' }).getAttribute('href')).toBe(
      '/gifts?card=gift-open',
    );
    unmount();
    renderAt('/gifts?card=gift-open', <GiftsPage />);
    const card = within(await screen.findByRole('article'));
    expect(card.getByRole('heading', { name: '50 credits' })).toBeDefined();
    expect(card.getByText(CODE)).toBeDefined();
    // Printed, the card has no header of the site.
    expect(card.getByText('Offcut')).toBeDefined();
  });

  it('[GIFT-741] [GIFT-747] that is awaited after the payment is announced when it arrives, whatever was bought before', async () => {
    const recent = { code: CODE, boughtAt: new Date().toISOString() };
    server.on('GET /api/gifts', { json: { items: [gift('open', recent)], nextCursor: null } });
    renderAt('/gifts?checkout=success&gift=gift-second', <GiftsPage />);
    await screen.findByText('Not redeemed');
    expect(screen.getByText(/Waiting for your payment/)).toBeDefined();
    const second = gift('open', { ...recent, id: 'gift-second' });
    server.on('GET /api/gifts', { json: { items: [second, gift('open', recent)], nextCursor: null } });
    await screen.findByText('Thank you. Your gift and its code are below.');
  });

  it('[GIFT-757] of a later page is shown once asked for, and its card is found', async () => {
    server.on('GET /api/gifts', ({ query }) => ({
      json: query.get('cursor')
        ? { items: [gift('open', { id: 'gift-old', code: CODE })], nextCursor: null }
        : { items: [gift('redeemed')], nextCursor: 'next' },
    }));
    const { unmount } = renderAt('/gifts', <GiftsPage />);
    await userEvent.dblClick(await screen.findByRole('button', { name: 'Show more' }));
    await screen.findByText(CODE);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    expect(server.seen('GET /api/gifts')).toHaveLength(2);
    unmount();
    renderAt('/gifts?card=gift-old', <GiftsPage />);
    await screen.findByRole('heading', { name: '50 credits' });
  });

  it('[GIFT-741] is paid on one page for two presses', async () => {
    let answer!: (page: object) => void;
    server.on('POST /api/checkout', () => new Promise((resolve) => (answer = resolve)));
    window.open = jest.fn(() => ({ location: { href: '' }, close: jest.fn(), opener: {} })) as never;
    renderAt('/gifts', <GiftsPage />);
    await userEvent.selectOptions(await screen.findByLabelText('Who gets the code'), 'print');
    await userEvent.dblClick(screen.getByRole('button', { name: 'Pay $10.99 for 50 credits' }));
    await waitFor(() => expect(server.seen('POST /api/checkout')).toHaveLength(1));
    expect(window.open).toHaveBeenCalledTimes(1);
    await act(async () => answer({ json: { url: 'https://checkout.example/session' } }));
    expect(server.seen('POST /api/checkout')).toHaveLength(1);
  });
});
