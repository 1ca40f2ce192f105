import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import SellScreen from '../../web/src/screens/sell/sell-screen.js';
import { pageWith } from './support/page.js';
import { renderAt } from './support/render.js';
import { StubServer } from './support/server.js';

const Sell = pageWith('sell', SellScreen);
const plan = (priceUsdCents: number, credits: number) => ({
  id: 'starter',
  name: 'Starter',
  priceUsdCents,
  credits,
  description: '',
  features: [],
  popular: false,
});

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'GET /api/plans': { json: { items: [plan(999, 50), plan(1_999, 150)] } },
    'GET /api/creator/approval-time': { json: { hours: null, decisions: 0 } },
  });
});
afterEach(cleanup);

const earnings = () => screen.getByRole('region', { name: 'What you would earn' }).textContent;

it('[SELL-700] computes earnings from the share and the prices of the plans', async () => {
  renderAt('/sell', <Sell />);
  await waitFor(() => expect(earnings()).toContain('$15.99 to $23.97'));
  await userEvent.clear(screen.getByLabelText('Sounds sold in a month'));
  expect(earnings()).toContain('$0.00 to $0.00');
  await userEvent.type(screen.getByLabelText('Sounds sold in a month'), '9999999');
  expect(earnings()).toContain('$7,996.00 to $11,988.00');
  expect(screen.getByRole('link', { name: 'Apply as a Creator' }).getAttribute('href')).toBe('/dashboard');
});

it('[APPLY-705] states the time to an answer, and nothing before the first decision', async () => {
  const { unmount } = renderAt('/sell', <Sell />);
  await waitFor(() => expect(server.seen('GET /api/creator/approval-time')).toHaveLength(1));
  await waitFor(() => expect(earnings()).toContain('$15.99'));
  expect(document.body.textContent).not.toContain('waited lately');
  unmount();
  server.on('GET /api/creator/approval-time', { json: { hours: 30.4, decisions: 7 } });
  renderAt('/sell', <Sell />);
  await waitFor(() => expect(document.body.textContent).toContain('30 hours'));
});
