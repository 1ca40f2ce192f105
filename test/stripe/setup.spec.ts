import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { checkStripe, type CheckedPlace } from '../../adapters/vendors/stripe/stripe-check.js';
import { STRIPE_API_VERSION, STRIPE_LIMITS } from '../../adapters/vendors/stripe/stripe-client.js';
import { CREATOR_EVENTS, OWN_EVENTS } from '../../application/payments/event-types.js';
import { setUpStripe } from '../../cli/stripe-setup.command.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { gatewayFor, sdkFor, startSilentServer, startStripeSimulator } from '../support/stripe.js';

const PUBLIC_URL = 'https://sounds.example';
const NOTHING = { dryRun: false, rotateSecrets: false, removeReplaced: false };

let simulator: StripeSimulator;
let stripe: Stripe;
beforeAll(async () => {
  simulator = await startStripeSimulator({ webhookSecret: 'whsec_of_nobody' });
  stripe = sdkFor(simulator);
});
afterAll(() => simulator.close());

async function setUp(options = {}, publicUrl = PUBLIC_URL): Promise<{ code: number; said: string[] }> {
  const said: string[] = [];
  const given = { secretKey: 'sk_test_x', webhookSecret: 'none yet', apiBase: simulator.url };
  const config = { stripe: given, stripeLimits: { ...STRIPE_LIMITS, retries: 0 }, publicUrl };
  const code = await setUpStripe(config, { ...NOTHING, ...options }, (line) => said.push(line));
  return { code, said };
}

const endpoints = async () => (await stripe.webhookEndpoints.list({ limit: 100 })).data;

const place: CheckedPlace = {
  publicUrl: PUBLIC_URL,
  production: false,
  now: () => new Date(),
  wallNow: () => new Date(),
  owedUsdCents: async () => 12_345,
};

async function amiss(
  about: Partial<CheckedPlace> = {},
  secretKey = 'sk_test_x',
): Promise<Record<string, string>> {
  const options = { secretKey, webhookSecret: '', apiBase: simulator.url, retries: 0 };
  const findings = await checkStripe(options, { ...place, ...about });
  return Object.fromEntries(
    (findings ?? []).filter(({ well }) => !well).map(({ name, text }) => [name, text]),
  );
}

it('[OPS-162] a dry run tells what is missing and changes nothing; the check names the same', async () => {
  const { code, said } = await setUp({ dryRun: true });
  expect(code).toBe(0);
  expect(said.filter((line) => line.startsWith('would do'))).toHaveLength(9);
  expect(said.join('\n')).not.toContain('whsec_');
  expect(await endpoints()).toEqual([]);
  expect(Object.keys(await amiss()).sort()).toEqual(
    said.flatMap((line) => /^would do {4}([^:]*):/.exec(line)?.[1] ?? []).sort(),
  );
});

it('[OPS-162] makes all that is needed once, tells the secrets once, and leaves others’ endpoints alone', async () => {
  const other = await stripe.webhookEndpoints.create({
    url: `${PUBLIC_URL}/api/stripe/webhook`,
    enabled_events: ['customer.created'],
  });
  const first = await setUp();
  expect({ code: first.code, secrets: first.said.at(-1) }).toEqual({
    code: 0,
    secrets: expect.stringMatching(/^STRIPE_WEBHOOK_SECRET=whsec_[\w-]+,whsec_[\w-]+$/),
  });
  // A secret of the simulator is marked as unknown to Stripe.
  expect(first.said.at(-2)).toContain('Stripe does not know them');
  const made = (await endpoints()).filter(({ id }) => id !== other.id);
  expect(made.map(({ url, enabled_events, api_version }) => ({ url, enabled_events, api_version }))).toEqual(
    [CREATOR_EVENTS, OWN_EVENTS].map((types) => ({
      url: `${PUBLIC_URL}/api/stripe/webhook`,
      enabled_events: [...types],
      api_version: STRIPE_API_VERSION,
    })),
  );
  const again = await setUp();
  expect(again.said.filter((line) => !/^(unchanged|This sets up)/.test(line))).toEqual([
    expect.stringMatching(`^ignored +endpoint ${other.id}`),
  ]);
  expect(await amiss()).toEqual({});
  // Another Offcut on the same account has its own endpoints.
  await setUp({}, 'https://staging.example');
  expect(await endpoints()).toHaveLength(5);
  expect(await stripe.webhookEndpoints.retrieve(other.id)).toMatchObject({
    enabled_events: ['customer.created'],
  });
});

it('[OPS-162] puts right what somebody changed', async () => {
  const [endpoint] = (await endpoints()).filter(({ metadata }) => metadata['offcut_events'] === 'account');
  const { id } = endpoint as Stripe.WebhookEndpoint;
  await stripe.webhookEndpoints.update(id, { enabled_events: ['*'], disabled: true });
  await stripe.products.update('offcut_premium', { active: false, name: 'Other' });
  const [price] = (await stripe.prices.list({ product: 'offcut_studio' })).data;
  await stripe.prices.update(price?.id as string, { active: false });
  const portals = (await stripe.billingPortal.configurations.list()).data;
  for (const { id: portal } of portals)
    await stripe.billingPortal.configurations.update(portal, {
      features: { subscription_cancel: { enabled: true } },
    });
  expect(await amiss({ publicUrl: 'https://staging.example' })).toEqual({
    'endpoint for events of the account': expect.stringContaining('switched off, it gets other events'),
    'page for cards and invoices': expect.stringContaining('other actions'),
    'product and price of Premium': expect.stringContaining('archived'),
    'product and price of Studio': expect.stringContaining('no active price'),
  });
  await setUp({}, 'https://staging.example');
  await setUp();
  expect(await amiss({ publicUrl: 'https://staging.example' })).toEqual({});
});

it('[OPS-163] new secrets come beside the old ones, which go when they are told to', async () => {
  const before = await endpoints();
  const { said } = await setUp({ rotateSecrets: true });
  expect(said.at(-1)).toMatch(/^STRIPE_WEBHOOK_SECRET=/);
  expect(await endpoints()).toHaveLength(before.length + 2);
  await setUp({ removeReplaced: true });
  const after = await endpoints();
  expect(after).toHaveLength(before.length);
  expect(after.filter(({ id }) => !before.some((each) => each.id === id))).toHaveLength(2);
});

it('[OPS-162] customers see the page that setup made', async () => {
  const customer = await stripe.customers.create({});
  const { url } = await gatewayFor(simulator).openPaymentDetails(customer.id, `${PUBLIC_URL}/settings`);
  expect((await fetch(url)).status).toBe(200);
  const ours = (await stripe.billingPortal.configurations.list()).data.find(
    ({ metadata }) => metadata?.['offcut'] === 'sounds.example',
  );
  expect(ours?.features).toMatchObject({
    payment_method_update: { enabled: true },
    subscription_update: { enabled: false },
  });
});

it('[OPS-164] the check names what is wrong with the account, each in a sentence', async () => {
  const hook = (name: string, fields: object) =>
    fetch(`${simulator.url}/_test/${name}`, {
      method: 'POST',
      body: new URLSearchParams(Object.entries(fields)),
    });
  await hook('platform', { chargesEnabled: 'false' });
  await hook('movement', { type: 'charge', amountUsdCents: 500, currency: 'eur' });
  await stripe.balanceSettings.update({
    payments: { payouts: { schedule: { interval: 'daily' }, minimum_balance_by_currency: { usd: 12_344 } } },
  });
  const ahead = () => new Date(Date.now() + 90_000);
  expect(await amiss({ wallNow: ahead })).toEqual({
    account: 'it cannot take payments yet',
    clock: expect.stringMatching(/s: webhooks are refused/),
    currencies: expect.stringContaining('also has eur'),
    payouts:
      'payouts to the bank are daily, and 123.44 USD stays in the balance, but creators are owed 123.45 USD: make payouts manual, or raise the minimum balance',
  });
  await stripe.balanceSettings.update({
    payments: { payouts: { minimum_balance_by_currency: { usd: 12_345 } } },
  });
  await hook('platform', { chargesEnabled: 'true' });
  expect(Object.keys(await amiss())).toEqual(['currencies']);
});

it('[OPS-167] the simulator pays out by itself what is above the least that stays, when it is set to', async () => {
  const payouts = async () => (await stripe.payouts.list()).data;
  const before = (await payouts()).length;
  await stripe.balanceSettings.update({
    payments: { payouts: { schedule: { interval: 'weekly' }, minimum_balance_by_currency: { usd: 1_000 } } },
  });
  await fetch(`${simulator.url}/_test/top-up`, {
    method: 'POST',
    body: new URLSearchParams({ amountUsdCents: '5000' }),
  });
  await simulator.advance(6.5);
  expect(await payouts()).toHaveLength(before);
  await simulator.advance(1);
  expect(await payouts()).toMatchObject([{ automatic: true, amount: 4_000, status: 'in_transit' }]);
  await simulator.advance(7);
  expect(await payouts()).toMatchObject([{ status: 'paid' }]);
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } });
});

it('[OPS-164] a key of the other mode or of nobody is told, and Stripe may be away', async () => {
  expect(await amiss({ production: true })).toMatchObject({
    mode: 'this is a test mode key; production needs a live mode key',
  });
  expect(await amiss({}, 'sk_live_x')).toMatchObject({
    mode: 'this is a live mode key; use a test mode key outside production, so that no real payment is possible',
    key: expect.stringContaining('Stripe says'),
  });
  const silent = await startSilentServer();
  const options = {
    secretKey: 'sk_test_x',
    webhookSecret: '',
    apiBase: silent.url,
    retries: 0,
    timeoutMs: 100,
  };
  expect(await checkStripe(options, place)).toBeUndefined();
  await silent.close();
});
