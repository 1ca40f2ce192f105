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

beforeEach(() => {
  new StubServer({ 'GET /api/plans': { json: { items: [plan(999, 50), plan(1_999, 150)] } } });
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
