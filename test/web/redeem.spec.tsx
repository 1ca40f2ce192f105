import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import RedeemScreen from '../../web/src/screens/redeem/redeem-screen.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => {
  server = new StubServer({ 'POST /api/auth/sign-out': { status: 204 } });
  signedInAs(NOOR);
});
afterEach(leave);

const open = (path = '/redeem') =>
  renderAt(
    path,
    <Routes>
      <Route path="*" element={<RedeemScreen />} />
    </Routes>,
  );
const press = () => userEvent.click(screen.getByRole('button', { name: 'Redeem' }));

describe('the page that redeems a code', () => {
  it('[PROMO-710] takes the code of the address, sends it once, and shows what it gave', async () => {
    server.on('POST /api/promotions/redeem', {
      status: 201,
      json: {
        code: 'SUMMER-26',
        pack: { id: 'p', title: 'Second Helping', slug: 'second-helping', creator: 'Junie', handle: 'junie' },
        received: [
          { sampleId: 's1', title: 'Kick', certificateId: 'c1' },
          { sampleId: 's2', title: 'Snare', certificateId: 'c2' },
        ],
      },
    });
    open('/redeem?code=summer-26');
    const button = screen.getByRole('button', { name: 'Redeem' });
    await userEvent.dblClick(button);
    expect((await screen.findByRole('heading', { name: 'Second Helping' })).textContent).toBe(
      'Second Helping',
    );
    expect(screen.getByText(/^2 samples by Junie are yours now/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Certificate of Kick' }).getAttribute('href')).toBe(
      '/certificates/c1',
    );
    expect(screen.getByRole('link', { name: 'Open the pack' }).getAttribute('href')).toBe(
      '/pack/second-helping/junie',
    );
    expect(server.seen('POST /api/promotions/redeem').map(({ body }) => body)).toEqual([
      { code: 'SUMMER-26' },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Redeem another code' }));
    expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('');
  });

  it.each([
    ['NotFound', {}, 'This code does not exist'],
    ['PromotionNotStarted', { from: '2026-12-24T00:00:00.000Z' }, 'This code is valid from 24 December 2026'],
    ['PromotionExpired', { until: '2026-11-01T00:00:00.000Z' }, 'This code expired on 1 November 2026'],
    ['PromotionEnded', {}, 'This code has ended'],
    ['PromotionUsedUp', {}, 'All free downloads of this code are taken'],
    ['PromotionRedeemed', {}, 'You have redeemed this code already'],
    ['AllOwned', {}, 'You own everything that this code gives'],
    ['OwnPromotion', {}, 'This is your own code'],
    ['PromotionUnavailable', {}, 'The samples of this code are not available now'],
  ] as const)('[PROMO-711] says why a code gave nothing: %s', async (code, members, said) => {
    server.on('POST /api/promotions/redeem', refused(code, members));
    open('/redeem?code=SUMMER-26');
    await press();
    expect((await screen.findByRole('alert')).textContent).toContain(said);
    expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('SUMMER-26');
  });

  it('[PROMO-711] asks for a code before it sends anything', async () => {
    open();
    await press();
    expect(await screen.findByText('Enter a code')).toBeTruthy();
    expect(server.seen('POST /api/promotions/redeem')).toHaveLength(0);
  });
});
