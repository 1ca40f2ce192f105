import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyed, type HttpClient } from '../support/http-client.js';
import { pull } from '../support/money-back.js';
import { allowLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';
import { sellTo } from '../support/sales.js';
import { onboard, sdkFor } from '../support/stripe.js';
import { until } from '../support/until.js';

let product: TestProduct;
let petra: HttpClient;
beforeAll(async () => {
  product = await startTestProduct();
  petra = await product.signedUp();
  await grantRoles(product.resources.database, petra.userId, 'finance');
});
afterAll(() => product?.stop());

const simulator = () => product.resources.stripeSimulator!;
const sell = (client: HttpClient) => sellTo(product, client, 'starter');
const advance = (days: number) => simulator().advance(days);

async function creator(): Promise<HttpClient> {
  const client = await product.signedUp();
  expect((await client.post('/api/creator/application')).status).toBe(201);
  return client;
}
async function connected(): Promise<HttpClient> {
  const client = await creator();
  const { body } = await client.post('/api/stripe/connect/create-account', { country: 'US' });
  await onboard(body.url, 'completed');
  expect((await client.get(`/api/stripe/connect/status/${client.userId}`)).body.payoutsEnabled).toBe(true);
  return client;
}
const pay = (code: string, userId: string, key?: string) =>
  petra.post('/api/finance/claims/payouts', { code, userId }, keyed(key));

it('[PAY-11] an account that is owed money is deleted once that is claimed, and the claim is paid to who shows its code', async () => {
  const junie = await creator();
  await sell(junie);
  await advance(15);
  await sell(junie);
  const refused = await junie.delete('/api/me');
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'PayoutOwed', owedMicroUsd: 11_988_000, availableMicroUsd: 5_994_000 },
  ]);
  expect(refused.body.detail).toContain('You are owed $11.98.');
  expect((await junie.get('/api/me/export')).status).toBe(200);
  expect((await junie.delete('/api/me', { claimPayout: 'yes' })).status).toBe(400);

  const erased = await junie.delete('/api/me', { claimPayout: true });
  expect([erased.status, erased.body]).toEqual([
    200,
    {
      claim: {
        code: expect.stringMatching(/^[0-9a-f]{40}$/),
        payableUntil: expect.any(String),
        owedMicroUsd: 11_988_000,
      },
    },
  ]);
  const { code, payableUntil } = erased.body.claim;
  const months = (new Date(payableUntil).getTime() - simulator().now().getTime()) / (30.44 * 86_400_000);
  expect(Math.round(months)).toBe(36);
  expect((await junie.get('/api/me/export')).status).toBe(401);
  const { pool } = product.resources.database;
  const kept = await pool.query(`select data::text as text from event where stream = $1`, [
    `payout-claim-${junie.userId}`,
  ]);
  expect(kept.rows.some(({ text }) => text.includes(code))).toBe(false);
  expect((await petra.get('/api/finance/claims')).body.items).toEqual([
    {
      creatorId: junie.userId,
      madeAt: expect.any(String),
      payableUntil,
      owedMicroUsd: 11_988_000,
      payouts: 0,
    },
  ]);

  expect(await pay(code, petra.userId)).toMatchObject({ status: 403, body: { code: 'OwnInterest' } });
  // A recipient needs a payout account, and the right code.
  const other = await product.signedUp();
  expect(await pay(code, other.userId)).toMatchObject({ status: 422, body: { code: 'PayoutsNotEnabled' } });
  const otto = await connected();
  expect((await pay('0'.repeat(40), otto.userId)).status).toBe(404);
  expect((await otto.post('/api/finance/claims/payouts', {}, keyed())).status).toBe(403);

  // Shares past their hold are paid now, even below the minimum of a withdrawal; the rest later.
  const key = randomUUID();
  const first = await pay(code, otto.userId, key);
  expect([first.status, first.body]).toMatchObject([201, { amountUsdCents: 599 }]);
  expect((await pay(code, otto.userId, key)).body).toEqual(first.body);
  const { accountId } = (await otto.get(`/api/stripe/connect/status/${otto.userId}`)).body;
  const sent = async () =>
    (await sdkFor(simulator()).transfers.list({ destination: accountId })).data.map(({ amount }) => amount);
  const areSent = async (wanted: number[]) => {
    await until(async () => (await sent()).length >= wanted.length);
    expect(await sent()).toEqual(wanted);
  };
  await areSent([599]);
  expect(await pay(code, otto.userId)).toMatchObject({ status: 422, body: { code: 'InsufficientEarnings' } });
  await advance(15);
  expect((await pay(code, otto.userId)).body.amountUsdCents).toBe(599);
  await areSent([599, 599]);
  expect((await petra.get('/api/finance/claims')).body.items).toMatchObject([
    { creatorId: junie.userId, owedMicroUsd: 8_000, payouts: 2 },
  ]);
});

it('[PAY-13] what is on its way counts as owed, as it may come back', async () => {
  const junie = await connected();
  for (let sale = 0; sale < 2; sale += 1) await sell(junie);
  await advance(15);
  allowLog(/^warn \[LogSubscriptions\] payouts failed .* Stripe: StripeConnectionError$/);
  await pull(product, 'fail-next-transfer', { how: 'lost-before', times: 100 });
  expect((await junie.post('/api/creator/withdrawals', {}, keyed())).status).toBe(201);
  const refused = await junie.delete('/api/me');
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'PayoutOwed', owedMicroUsd: 11_988_000, availableMicroUsd: 8_000 },
  ]);
  const { claim } = (await junie.delete('/api/me', { claimPayout: true })).body;
  expect(claim).toMatchObject({ owedMicroUsd: 11_988_000 });
});

it('[PAY-11] a claim ends after 36 months', async () => {
  const junie = await creator();
  await sell(junie);
  const { code } = (await junie.delete('/api/me', { claimPayout: true })).body.claim;
  const otto = await connected();
  await advance(37 * 31);
  expect(await pay(code, otto.userId)).toMatchObject({ status: 410, body: { code: 'ClaimExpired' } });
});

it('[PAY-11] an account that is owed nothing is deleted as before, whatever is asked', async () => {
  const junie = await creator();
  expect((await junie.delete('/api/me', { claimPayout: true })).status).toBe(204);
});
