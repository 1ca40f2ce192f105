import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentsController } from '../../adapters/payments/payment-events.module.js';
import { SubscriptionsModule } from '../../adapters/subscriptions/subscriptions.module.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { SystemClock } from '../../application/shared/clock.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { creditsOf, subscriptionsOn } from '../support/payments.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import {
  gatewayFor,
  press,
  sdkFor,
  startSilentServer,
  startStripeSimulator,
  WEBHOOK_SECRET,
  type SilentServer,
} from '../support/stripe.js';

let store: TestDatabase;
let test: TestApp;
let simulator: StripeSimulator;
let silent: SilentServer;

beforeAll(async () => {
  silent = await startSilentServer();
  store = await startTestDatabase();
  const clock = new SystemClock();
  simulator = await startStripeSimulator({ webhookSecret: WEBHOOK_SECRET, webhookRetryMs: 50 });
  const { providers } = subscriptionsOn(store.database, gatewayFor(simulator), clock);
  test = await startTestApp({
    database: store.database,
    imports: [SubscriptionsModule],
    controllers: [PaymentsController],
    providers,
    clock,
  });
  simulator.deliverTo(`${test.url}/api/stripe/webhook`, WEBHOOK_SECRET);
});

afterAll(async () => {
  await test?.close();
  await simulator?.close();
  await silent?.close();
  await store?.close();
});

type PlanName = 'starter' | 'premium' | 'studio';
const checkout = (client: HttpClient, plan: PlanName, userId = client.userId) =>
  client.post(`/api/stripe/create-checkout-session?plan=${plan}&userId=${userId}`, { plan, userId });
const subscribed = async (plan: PlanName): Promise<HttpClient> => {
  const listener = await test.signedUp();
  const { body } = await checkout(listener, plan);
  await press(body.url, { outcome: 'paid' });
  return listener;
};
const subscription = async (client: HttpClient) => (await client.get('/api/subscription')).body;

describe('plans', () => {
  it('[CRED-01] GET /api/plans answers the three plans to anybody', async () => {
    const { status, body } = await test.browser().get('/api/plans');
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      { id: 'starter', name: 'Starter', priceUsdCents: 999, credits: 50, popular: false },
      { id: 'premium', name: 'Premium', priceUsdCents: 1599, credits: 100, popular: true },
      { id: 'studio', name: 'Studio', priceUsdCents: 1999, credits: 150, popular: false },
    ]);
    for (const plan of body.items) expect(plan.description.length).toBeGreaterThan(5);
  });
});

describe('checkout', () => {
  it('[API-01] answers the address of a payment page', async () => {
    const listener = await test.signedUp();
    const { status, body } = await checkout(listener, 'premium');
    expect(status).toBe(200);
    expect(body).toEqual({ url: expect.stringContaining(`${simulator.url}/c/pay/cs_test_`) });
  });

  it('[API-01] refuses somebody else’s userId, in the body or the address, with an error sentence', async () => {
    const [listener, other] = [await test.signedUp(), await test.signedUp()];
    const inBody = await listener.post('/api/stripe/create-checkout-session', {
      plan: 'starter',
      userId: other.userId,
    });
    expect(inBody).toMatchObject({ status: 403, body: { code: 'NotAllowed', error: expect.any(String) } });
    const inAddress = await listener.post(
      `/api/stripe/create-checkout-session?plan=starter&userId=${other.userId}`,
      { plan: 'starter' },
    );
    expect(inAddress).toMatchObject({ status: 403, body: { error: expect.any(String) } });
  });

  it('[API-01] says in `error` what is wrong with a plan, and that a session is needed', async () => {
    const listener = await test.signedUp();
    const wrong = await listener.post('/api/stripe/create-checkout-session', { plan: 'gold' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'InvalidRequest', error: expect.any(String) } });
    const torn = await listener.post('/api/stripe/create-checkout-session?plan=studio', { plan: 'starter' });
    expect(torn).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    const nobody = await test.browser().post('/api/stripe/create-checkout-session', { plan: 'starter' });
    expect(nobody).toMatchObject({ status: 401, body: { code: 'NotSignedIn', error: expect.any(String) } });
  });

  it('[CRED-05] paying grants the plan’s credits once; neither opening nor returning from the page does', async () => {
    const listener = await test.signedUp();
    const { body } = await checkout(listener, 'premium');
    await listener.get('/settings?checkout=success');
    expect((await creditsOf(store.database, listener.userId)).balance).toBe(0);
    expect(await subscription(listener)).toEqual({
      plan: null,
      status: 'none',
      currentPeriodEnd: null,
      scheduledChange: null,
      pendingChange: null,
    });
    await press(body.url, { outcome: 'paid' });
    expect(await creditsOf(store.database, listener.userId)).toEqual({
      balance: 100,
      grants: [{ lotId: expect.stringMatching(/^invoice-il_/), credits: 100, valueMicroUsd: 15_990_000 }],
    });
    expect(await subscription(listener)).toEqual({
      plan: 'premium',
      status: 'active',
      currentPeriodEnd: expect.stringMatching(/^20..-/),
      scheduledChange: null,
      pendingChange: null,
    });
  });

  it('[PAY-450] a payment without tax leaves the country of the payer in the log, and no more of the address', async () => {
    const listener = await test.signedUp();
    const { body } = await checkout(listener, 'premium');
    await press(body.url, { outcome: 'paid', place: 'US-NY' });
    const { rows } = await store.database.pool.query(
      `select data->'invoice' as invoice from readable_event
        where type = 'CreditsGranted' and data->>'userId' = $1`,
      [listener.userId],
    );
    expect(rows.map(({ invoice }) => invoice)).toEqual([
      {
        invoiceId: expect.any(String),
        invoiceLineId: expect.any(String),
        product: 'premium',
        grossMicroUsd: 15_990_000,
        taxMicroUsd: 0,
        country: 'US',
      },
    ]);
  });

  it('[CRED-05] cancelling on the page grants nothing', async () => {
    const listener = await test.signedUp();
    const { body } = await checkout(listener, 'starter');
    await press(body.url, { outcome: 'cancelled' });
    expect((await creditsOf(store.database, listener.userId)).grants).toEqual([]);
  });

  it('refuses a second plan beside a running one', async () => {
    const listener = await subscribed('starter');
    expect(await checkout(listener, 'studio')).toMatchObject({
      status: 409,
      body: { code: 'SubscriptionExists', plan: 'starter', error: expect.any(String) },
    });
  });

  it.each([
    ['refuses connections', () => gatewayFor({ url: 'http://127.0.0.1:9' })],
    ['accepts them and never answers', () => gatewayFor(silent, new SystemClock(), { timeoutMs: 300 })],
  ])('[OPS-40] answers 503, when to come again and an error sentence when Stripe %s', async (_, gateway) => {
    const down = subscriptionsOn(store.database, gateway());
    const other = await startTestApp({
      database: store.database,
      imports: [SubscriptionsModule],
      controllers: [PaymentsController],
      providers: down.providers,
    });
    try {
      const listener = await other.signedUp();
      const refused = await checkout(listener, 'starter');
      expect(refused).toMatchObject({
        status: 503,
        body: { code: 'PaymentsUnavailable', error: expect.any(String) },
      });
      expect(refused.headers.get('retry-after')).toBe('5');
    } finally {
      await other.close();
    }
  });
});

describe('changing a subscription', () => {
  it('[CRED-07] an upgrade acts at once: full price, full grant, new cycle', async () => {
    const listener = await subscribed('starter');
    const changed = await listener.post('/api/subscription/change', { plan: 'studio' }, keyed());
    expect(changed).toMatchObject({ status: 200, body: { plan: 'studio', status: 'active' } });
    await simulator.advance(1 / 86_400);
    const { balance, grants } = await creditsOf(store.database, listener.userId);
    expect([balance, grants.map((grant) => grant.valueMicroUsd)]).toEqual([200, [9_990_000, 19_990_000]]);
  });

  it('[CRED-07] a refused card leaves plan and credits as they are until another one pays', async () => {
    const listener = await subscribed('starter');
    await fetch(`${simulator.url}/_test/fail-next-payment`, { method: 'POST' });
    const refused = await listener.post('/api/subscription/change', { plan: 'premium' }, keyed());
    expect(refused).toMatchObject({ status: 202, body: { pendingChange: { needs: 'another card' } } });
    expect(await subscription(listener)).toMatchObject({ plan: 'starter', status: 'active' });
    expect((await creditsOf(store.database, listener.userId)).balance).toBe(50);
  });

  it('[CRED-07] [CRED-04] a downgrade waits for period end and can be withdrawn', async () => {
    const listener = await subscribed('studio');
    const { currentPeriodEnd } = await subscription(listener);
    const changed = await listener.post('/api/subscription/change', { plan: 'starter' }, keyed());
    expect(changed.body).toEqual({
      plan: 'studio',
      status: 'active',
      currentPeriodEnd,
      scheduledChange: { kind: 'downgrade', plan: 'starter', effectiveAt: currentPeriodEnd },
      pendingChange: null,
    });
    const resumed = await listener.post('/api/subscription/resume', undefined, keyed());
    expect(resumed).toMatchObject({ status: 200, body: { scheduledChange: null } });
    expect(await listener.post('/api/subscription/resume', undefined, keyed())).toMatchObject({
      status: 409,
      body: { code: 'NothingScheduled' },
    });
  });

  it('[CRED-07] [CRED-04] cancelling acts at period end and can be withdrawn until then', async () => {
    const listener = await subscribed('premium');
    const cancelled = await listener.post('/api/subscription/cancel', undefined, keyed());
    expect(cancelled.body.scheduledChange).toMatchObject({ kind: 'cancel', plan: null });
    expect((await listener.post('/api/subscription/resume', {}, keyed())).body.scheduledChange).toBeNull();
    await listener.post('/api/subscription/cancel', {}, keyed());
    await simulator.advance(32);
    expect(await subscription(listener)).toEqual({
      plan: 'premium',
      status: 'canceled',
      currentPeriodEnd: null,
      scheduledChange: null,
      pendingChange: null,
    });
    expect((await creditsOf(store.database, listener.userId)).balance).toBe(100);
    expect((await checkout(listener, 'starter')).status).toBe(200);
  });

  it('needs an Idempotency-Key, repeats its answer, and refuses the key for another plan', async () => {
    const listener = await subscribed('starter');
    const bare = await listener.post('/api/subscription/change', { plan: 'premium' });
    expect(bare).toMatchObject({ status: 400, body: { code: 'IdempotencyKeyMissing' } });
    const key = keyed();
    const first = await listener.post('/api/subscription/change', { plan: 'premium' }, key);
    const second = await listener.post('/api/subscription/change', { plan: 'premium' }, key);
    expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ]);
    expect((await listener.post('/api/subscription/change', { plan: 'studio' }, key)).status).toBe(422);
    const invoices = await sdkFor(simulator).invoices.list({ status: 'paid', limit: 100 });
    const ours = invoices.data.filter((invoice) => invoice.customer_email === listener.email);
    expect(ours).toHaveLength(2);
  });

  it('refuses without a session, without a plan, and the plan there is', async () => {
    expect((await test.browser().post('/api/subscription/cancel', {}, keyed())).status).toBe(401);
    const stranger = await test.signedUp();
    expect(await stranger.post('/api/subscription/cancel', {}, keyed())).toMatchObject({
      status: 409,
      body: { code: 'NoSubscription' },
    });
    const listener = await subscribed('starter');
    expect(await listener.post('/api/subscription/change', { plan: 'starter' }, keyed())).toMatchObject({
      status: 409,
      body: { code: 'PlanUnchanged' },
    });
    expect((await listener.post('/api/subscription/change', { plan: 'gold' }, keyed())).status).toBe(400);
  });
});

describe('a card that fails', () => {
  it('[CRED-08] past due grants nothing and leaves the balance; a new card pays and grants', async () => {
    const listener = await test.signedUp();
    const { body } = await checkout(listener, 'starter');
    await press(body.url, { outcome: 'paid', card: '4000000000000341' });
    await simulator.advance(32);
    expect(await subscription(listener)).toMatchObject({ plan: 'starter', status: 'past_due' });
    expect((await creditsOf(store.database, listener.userId)).balance).toBe(50);
    expect(await listener.post('/api/subscription/change', { plan: 'studio' }, keyed())).toMatchObject({
      status: 409,
      body: { code: 'PaymentOverdue' },
    });
    const page = await listener.post('/api/subscription/payment-details', {});
    const saved = await fetch(page.body.url, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'saved' }),
      redirect: 'manual',
    });
    expect(saved.status).toBe(303);
    await simulator.advance(1 / 86_400);
    expect(await subscription(listener)).toMatchObject({ plan: 'starter', status: 'active' });
    expect((await creditsOf(store.database, listener.userId)).balance).toBe(100);
  });

  it('[CRED-04] ends when every retry failed', async () => {
    const listener = await test.signedUp();
    const { body } = await checkout(listener, 'starter');
    await press(body.url, { outcome: 'paid', card: '4000000000000341' });
    await simulator.advance(60);
    expect(await subscription(listener)).toMatchObject({ status: 'canceled', currentPeriodEnd: null });
  });
});

describe('webhook endpoint', () => {
  const UNDATED =
    '{"id":"evt_x","type":"invoice.paid","created":"soon","livemode":false,"data":{"object":{"id":"in_x"}}}';
  const deliver = (body: string, signature: string) =>
    test.browser().post('/api/stripe/webhook', undefined, {
      raw: body,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    });

  it('[FIN-14] refuses an unsigned or badly signed body and stores nothing', async () => {
    const payload = JSON.stringify({
      id: 'evt_forged',
      object: 'event',
      type: 'invoice.paid',
      created: 1,
      livemode: false,
      data: { object: { id: 'in_forged', object: 'invoice' } },
    });
    const stripe = sdkFor(simulator);
    const sign = (secret: string) => stripe.webhooks.generateTestHeaderString({ payload, secret });
    expect(await deliver(payload, sign('whsec_wrong'))).toMatchObject({
      status: 400,
      body: { code: 'WebhookRefused' },
    });
    expect((await deliver(payload.replace('in_forged', 'in_fOrged'), sign(WEBHOOK_SECRET))).status).toBe(400);
    expect((await deliver(payload, '')).status).toBe(400);
    const { rows } = await store.database.pool.query(
      `select 1 from stripe_webhook where event_id = 'evt_forged'`,
    );
    expect(rows).toEqual([]);
    expect((await deliver(payload, sign(WEBHOOK_SECRET))).status).toBe(200);
  });

  it.each([
    'null',
    '[]',
    '"paid"',
    '7',
    '{}',
    '{"id":"evt_x"}',
    '{"id":"evt_x","type":"t","data":null}',
    UNDATED,
  ])('[FIN-14] refuses a rightly signed body that is no event: %s', async (payload) => {
    const signature = sdkFor(simulator).webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRET,
    });
    expect(await deliver(payload, signature)).toMatchObject({
      status: 400,
      body: { code: 'WebhookRefused' },
    });
  });
});
