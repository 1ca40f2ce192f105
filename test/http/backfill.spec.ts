import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BACKFILLED } from '../../application/ledger/backfill.js';
import { backfillStripe } from '../../cli/stripe-backfill.command.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { comesTo } from '../support/money-back.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { sellTo } from '../support/sales.js';
import { onboard, press, sdkFor } from '../support/stripe.js';

const SINCE = '2025-01-01';

let product: TestProduct;
let simulator: StripeSimulator;
let listener: HttpClient;

const hook = async (name: string, fields: object) => {
  const answer = await fetch(`${simulator.url}/_test/${name}`, {
    method: 'POST',
    body: new URLSearchParams(Object.entries(fields)),
  });
  expect([name, answer.status]).toEqual([name, 200]);
};

/** Two months at Stripe without any webhook. */
beforeAll(async () => {
  product = await startTestProduct();
  simulator = product.resources.stripeSimulator as StripeSimulator;
  listener = await product.signedUp();
  const plan = { plan: 'starter', userId: listener.userId };
  const { body } = await listener.post('/api/stripe/create-checkout-session', plan);
  await hook('drop-webhooks', { times: 1000 });
  await press(body.url, { outcome: 'paid' });
  const stripe = sdkFor(simulator);
  const [invoice] = (await stripe.invoices.list()).data;
  await hook('refund', { invoice: invoice?.id, amountUsdCents: 200 });
  await simulator.advance(40);
  await stripe.payouts.create({ amount: 300, currency: 'usd' });
  await simulator.advance(40);
});
afterAll(() => product?.stop());

const backfill = async (only?: (typeof BACKFILLED)[number][]): Promise<string[]> => {
  const said: string[] = [];
  await backfillStripe(product, { since: SINCE, ...(only && { only }) }, (line) => said.push(line));
  return said.filter((line) => /^[a-z]/.test(line));
};
const balance = async () => (await listener.get('/api/credits')).body.balance;
const cursors = async () =>
  (await product.resources.database.db.selectFrom('payment_backfill').selectAll().execute()).length;

it('[OPS-166] records what is missing of any age, goes on where it was interrupted, and adds nothing the second time', async () => {
  expect(await balance()).toBe(0);
  await hook('refuse', { times: 100, status: 500, code: 'api_error', path: '/v1/balance_transactions/' });
  await expect(backfill()).rejects.toThrow('Stripe');
  // The spans before the failed one are recorded, and so are the earlier movements of the failed span.
  expect({ balance: await balance(), cursors: await cursors() }).toEqual({ balance: 40, cursors: 1 });
  await hook('refuse', { times: 0 });
  const sums = Object.fromEntries((await backfill()).map((line) => line.split(': ')));
  expect(sums).toEqual({
    invoices: '2 new, 1 known or not ours',
    'money-back': '0 new, 1 known or not ours',
    reversals: '0 new, 0 known or not ours',
    'bank-payouts': '1 new, 0 known or not ours',
    movements: expect.stringMatching(/^5 new, 0 known/),
  });
  expect(await cursors()).toBe(0);
  const after = await balance();
  const { position } = await product.resources.eventStore.head();
  for (const line of await backfill()) expect(line).toMatch(/: 0 new/);
  expect(await product.resources.eventStore.head()).toMatchObject({ position });
  expect(await balance()).toBe(after);
  expect(await backfill(['bank-payouts'])).toEqual(['bank-payouts: 0 new, 1 known or not ours']);
});

it('[FIN-142] records a transfer that was taken back at Stripe, and adds nothing the second time', async () => {
  await hook('drop-webhooks', { times: 0 });
  const creator = await product.signedUp();
  const { userId, email } = creator;
  expect((await creator.post('/api/creator/application')).status).toBe(201);
  const account = { userId, email, country: 'US' };
  const { body } = await creator.post('/api/stripe/connect/create-account', account);
  await onboard(body.url, 'completed');
  await sellTo(product, creator);
  await hook('top-up', { amountUsdCents: 5_000 });
  await simulator.advance(15);
  const withdrawn = await creator.post('/api/creator/withdrawals', { amountUsdCents: 1_000 }, keyed());
  expect(withdrawn.status).toBe(201);
  const newest = async () => (await creator.get('/api/creator/statements')).body.items[0];
  await comesTo(async () => (await newest()).status, 'paid');
  await hook('drop-webhooks', { times: 10 });
  await hook('reverse-transfer', { transfer: (await newest()).transferId, amountUsdCents: 199 });
  expect((await newest()).reversedUsdCents).toBe(0);
  expect(await backfill(['reversals'])).toEqual(['reversals: 1 new, 0 known or not ours']);
  await comesTo(async () => (await newest()).reversedUsdCents, 199);
  expect(await backfill(['reversals'])).toEqual(['reversals: 0 new, 1 known or not ours']);
});
