import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { ForgetPayers } from '../../application/payments/forget-payers.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { sdkFor } from '../support/stripe.js';
import { grantRoles } from '../support/staff.js';

let product: TestProduct;
let stripe: Stripe;
let simulator: StripeSimulator;

beforeAll(async () => {
  product = await startTestProduct();
  simulator = product.resources.stripeSimulator as StripeSimulator;
  stripe = sdkFor(simulator);
});

afterAll(() => product?.stop());

const hook = async (name: string, fields: object) => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(fields);
  expect((await fetch(`${simulator.url}/_test/${name}`, { method: 'POST', headers, body })).status).toBe(200);
};

const sweep = () => product.app.get(ForgetPayers, { strict: false }).run();

async function customerOf(userId: string): Promise<string> {
  const { rows } = await product.resources.database.pool.query(
    'select customer_id from stripe_customer where user_id = $1',
    [userId],
  );
  return rows[0].customer_id;
}

const awaited = async (userId: string) =>
  (await product.resources.database.pool.query('select * from payer_to_forget where user_id = $1', [userId]))
    .rows;

/** Opens a checkout page and leaves it open. */
async function withCheckout(client: HttpClient): Promise<{ customer: string; url: string }> {
  const checkout = await client.post('/api/stripe/create-checkout-session', { plan: 'starter' });
  expect(checkout.status).toBe(200);
  return { customer: await customerOf(client.userId), url: checkout.body.url };
}

it('[GONE-10] the payment provider forgets name and address of an erased payer at once, and the payer 120 days after the last charge', async () => {
  const zora = await product.signedUp('zora@example.com');
  const { customer, url } = await withCheckout(zora);
  const card = '4242424242424242';
  await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: 'paid', card }) });
  const isActive = async () => (await zora.get('/api/subscription')).body.status === 'active';
  while (!(await isActive())) await new Promise((resolve) => setTimeout(resolve, 20));
  await zora.post('/api/creator/application', {});
  expect((await zora.post('/api/stripe/connect/create-account', { country: 'US' })).status).toBeLessThan(300);
  expect((await stripe.customers.retrieve(customer)) as object).toMatchObject({ email: 'zora@example.com' });

  expect((await zora.delete('/api/me')).status).toBe(204);
  expect((await stripe.customers.retrieve(customer)) as object).toMatchObject({ email: null, metadata: {} });
  const accounts = await stripe.accounts.list();
  expect(accounts.data.map(({ metadata }) => metadata)).toEqual([{}]);

  // The plan runs to its end. After that, its last charge can still be disputed.
  for (const days of [20, 40, 50]) {
    await hook('advance', { days });
    await sweep();
    expect((await stripe.customers.retrieve(customer)).deleted).toBeUndefined();
  }
  await hook('advance', { days: 11 });
  await sweep();
  expect(await stripe.customers.retrieve(customer)).toEqual({
    id: customer,
    object: 'customer',
    deleted: true,
  });
  expect((await stripe.customers.list({ email: 'zora@example.com' })).data).toEqual([]);
  expect(await awaited(zora.userId)).toEqual([]);
});

it('[GONE-11] erasing does not wait for a provider that is away; it is told later, and after a week a person hears of it', async () => {
  const [gone, admin] = [await product.signedUp('quint@example.com'), await product.signedUp()];
  await grantRoles(product.resources.database, admin.userId, 'admin', 'finance');
  const { customer, url } = await withCheckout(gone);
  await hook('refuse', { times: 1000, status: 500, code: 'api_error', path: `/v1/customers/${customer}` });
  expect((await gone.delete('/api/me')).status).toBe(204);
  expect(await awaited(gone.userId)).toMatchObject([{ customer_id: customer, blanked_at: null }]);

  await hook('advance', { days: 8 });
  await sweep().catch(() => {});
  const alerts = async () =>
    (await admin.get('/api/finance/alerts')).body.items
      .filter(({ kind }: { kind: string }) => kind === 'payer-not-forgotten')
      .map(({ text }: { text: string }) => text);
  expect(await alerts()).toEqual([expect.stringContaining(customer)]);

  await hook('refuse', { times: 0 });
  await hook('advance', { days: 1 });
  await sweep();
  // Without any payment, no money can come back. The open page is closed.
  expect((await stripe.customers.retrieve(customer)).deleted).toBe(true);
  expect(await (await fetch(url)).text()).not.toContain('quint@example.com');
  expect(await awaited(gone.userId)).toEqual([]);
  expect(await alerts()).toEqual([]);
});
