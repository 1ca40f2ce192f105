import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALWAYS_ASKS, ASKS_THEN_DECLINES, startChangingPlans } from '../support/changing-plans.js';
import type { HttpClient } from '../support/http-client.js';
import { creditsOf } from '../support/payments.js';
import { gatewayFor, sdkFor } from '../support/stripe.js';

let plans: Awaited<ReturnType<typeof startChangingPlans>>;
let { ask, charged, hook, on, pay, pageOf, simulator, store, subscribed, subscription, told } =
  {} as typeof plans;

beforeAll(async () => {
  plans = await startChangingPlans();
  ({ ask, charged, hook, on, pay, pageOf, simulator, store, subscribed, subscription, told } = plans);
});
afterAll(() => plans?.close());

const balance = async ({ userId }: HttpClient) => (await creditsOf(store.database, userId)).balance;
const providers = async ({ userId }: HttpClient) => {
  const { subscriptionId } = (await on.load(userId)) as { subscriptionId: string };
  return sdkFor(simulator).subscriptions.retrieve(subscriptionId);
};
/** Does something at the provider without any webhook about it. */
async function untold<Result>(happens: () => Promise<Result>): Promise<Result> {
  // Webhooks in progress arrive in this time.
  await plans.advance(1 / 3_600);
  await hook('drop-webhooks', { times: 20 });
  const result = await happens();
  await hook('drop-webhooks', { times: 0 });
  return result;
}
const ASKED = ['PlanChangeRequested upgrade', 'PlanChangeAwaitsPayer confirmation'];

/** Subscribes a listener who then requests a plan that the bank wants to be confirmed. */
async function asked(plan: 'starter' | 'premium' = 'starter', card = ALWAYS_ASKS): Promise<HttpClient> {
  const listener = await subscribed(plan, card);
  expect(await ask(listener, 'up')).toMatchObject({
    status: 202,
    body: { plan, pendingChange: { kind: 'upgrade', plan: 'studio', needs: 'confirmation' } },
  });
  return listener;
}

describe('an upgrade that needs its payer', () => {
  it('[CRED-40] is confirmed with the bank on the provider’s page, and only then charged, granted and told', async () => {
    const listener = await asked();
    expect(await charged(listener)).toEqual([999]);
    const { expiresAt } = (await subscription(listener)).pendingChange;
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(22.9 * 3_600_000);
    for (const request of ['up', 'cancel'] as const)
      expect(await ask(listener, request)).toMatchObject({
        status: 409,
        body: { code: 'ChangePending', kind: 'upgrade', plan: 'studio' },
      });
    expect(await (await fetch(await pageOf(listener))).text()).toContain('Confirm $19.99');
    expect(await pay(listener, { outcome: 'confirmed' })).toBe(200);
    expect(await subscription(listener)).toMatchObject({ plan: 'studio', pendingChange: null });
    expect(await charged(listener)).toEqual([999, 1999]);
    expect(await balance(listener)).toBe(200);
    expect(await told(listener)).toEqual([...ASKED, 'PlanChangeCompleted']);
    expect(await listener.post('/api/subscription/pending/pay', {})).toMatchObject({
      status: 409,
      body: { code: 'NothingToPay' },
    });
    // The paid month began when the listener requested the upgrade.
    await plans.advance(32 * 24);
    expect(await charged(listener)).toEqual([999, 1999]);
  });

  it('[CRED-40] a refused card is no end: another one pays on the same page', async () => {
    const listener = await subscribed('premium');
    await hook('fail-next-payment');
    expect(await ask(listener, 'up')).toMatchObject({
      status: 202,
      body: { plan: 'premium', pendingChange: { needs: 'another card' } },
    });
    expect(await pay(listener, { outcome: 'paid', card: '4000000000000002' })).toBe(402);
    expect(await pay(listener, { outcome: 'paid', card: '4242424242424242' })).toBe(200);
    expect(await subscription(listener)).toMatchObject({ plan: 'studio', pendingChange: null });
    expect(await charged(listener)).toEqual([1599, 1999]);
  });

  it.each([
    ['does not get through the bank’s question', ALWAYS_ASKS, 'failed'],
    ['confirms, and has not enough money', ASKS_THEN_DECLINES, 'confirmed'],
  ])('[CRED-40] who %s is asked for another card', async (_, card, outcome) => {
    const listener = await subscribed('starter', ALWAYS_ASKS);
    const details = (await listener.post('/api/subscription/payment-details', {})).body.url;
    const body = new URLSearchParams({ outcome: 'saved', card });
    await fetch(details, { method: 'POST', body, redirect: 'manual' });
    expect(await ask(listener, 'up')).toMatchObject({ body: { pendingChange: { needs: 'confirmation' } } });
    expect(await pay(listener, { outcome })).toBe(402);
    expect(await subscription(listener)).toMatchObject({ pendingChange: { needs: 'another card' } });
    expect(await pay(listener, { outcome: 'paid', card: '4242424242424242' })).toBe(200);
    expect(await told(listener)).toEqual([
      ...ASKED,
      'PlanChangeAwaitsPayer another card',
      'PlanChangeCompleted',
    ]);
    expect(await charged(listener)).toEqual([999, 1999]);
  });

  it.each(['cancel', 'down'] as const)(
    '[CRED-40] keeps what was scheduled (%s) while it is not paid, and takes it back then',
    async (scheduled) => {
      const listener = await subscribed('premium', ALWAYS_ASKS);
      expect((await ask(listener, scheduled)).status).toBe(200);
      expect((await ask(listener, 'up')).status).toBe(202);
      expect((await subscription(listener)).scheduledChange).not.toBeNull();
      expect(await pay(listener, { outcome: 'confirmed' })).toBe(200);
      expect(await subscription(listener)).toMatchObject({ plan: 'studio', scheduledChange: null });
      expect(await providers(listener)).toMatchObject({ cancel_at_period_end: false, schedule: null });
    },
  );
});

describe('an upgrade that its payer does not pay', () => {
  it('[CRED-41] is taken back: nothing is charged, and the next one is new', async () => {
    const listener = await asked();
    const page = await pageOf(listener);
    expect(await ask(listener, 'withdraw')).toMatchObject({
      status: 200,
      body: { plan: 'starter', pendingChange: null },
    });
    expect((await ask(listener, 'withdraw')).status).toBe(200);
    expect(await told(listener)).toEqual([...ASKED, 'PlanChangeFailed ChangeWithdrawn']);
    expect(await (await fetch(page)).text()).not.toContain('<button');
    expect(await providers(listener)).toMatchObject({ pending_update: null });
    expect((await ask(listener, 'up')).status).toBe(202);
    expect(await pay(listener, { outcome: 'confirmed' })).toBe(200);
    expect(await charged(listener)).toEqual([999, 1999]);
  });

  it('[CRED-41] is done where it was paid in the moment of taking it back', async () => {
    const listener = await asked();
    expect(await untold(() => pay(listener, { outcome: 'confirmed' }))).toBe(200);
    expect(await ask(listener, 'withdraw')).toMatchObject({ status: 200, body: { plan: 'studio' } });
    expect(await charged(listener)).toEqual([999, 1999]);
    expect(await told(listener)).toEqual([...ASKED, 'PlanChangeCompleted']);
  });

  it.each(['told', 'never told'])('[CRED-41] is forgotten after a day, %s of it', async (how) => {
    const listener = await asked();
    const wait = () => plans.advance(23.1);
    await (how === 'told' ? wait() : untold(wait));
    if (how === 'never told') expect(await on.changes.sweep()).toEqual({ closed: 1 });
    expect(await subscription(listener)).toMatchObject({ plan: 'starter', pendingChange: null });
    expect(await told(listener)).toEqual([...ASKED, 'PlanChangeFailed PayerDidNotConfirm']);
    expect(await charged(listener)).toEqual([999]);
  });
});

describe('an upgrade that awaits its payer, when something breaks', () => {
  it('[CRED-42] is charged once where the payment was never told of: the sweep of payments finds it', async () => {
    const listener = await asked();
    expect(await untold(() => pay(listener, { outcome: 'confirmed' }))).toBe(200);
    expect(await subscription(listener)).toMatchObject({ plan: 'starter' });
    // The product still knows it as waiting for its payer, so the sweep of changes leaves it alone.
    expect(await on.changes.sweep(0)).toEqual({ closed: 0 });
    await on.sweep.run();
    expect(await subscription(listener)).toMatchObject({ plan: 'studio', pendingChange: null });
    expect(await balance(listener)).toBe(200);
    expect(await told(listener)).toEqual([...ASKED, 'PlanChangeCompleted']);
  });

  it.each(['kept', 'forgotten'])(
    '[CRED-42] a crash after the provider was asked, the keys %s: the sweep finds what waits, and bills no second time',
    async (keys) => {
      const listener = await subscribed('starter', ALWAYS_ASKS);
      const request = { type: 'ChangePlan', plan: 'studio' } as const;
      const reserved = await on.changes.reserve(listener.userId, request, randomUUID());
      if (reserved.outcome !== 'reserved') throw new Error(reserved.outcome);
      const { subscriptionId, change } = reserved;
      const key = `${change.changeId}-studio`;
      await untold(() => gatewayFor(simulator).upgrade(subscriptionId, 'studio', key));
      if (keys === 'forgotten') await hook('forget-keys');
      expect(await on.changes.sweep(0)).toEqual({ closed: 0 });
      expect(await told(listener)).toEqual(ASKED);
      const { data } = await sdkFor(simulator).invoices.list({ subscription: subscriptionId });
      expect(data.map(({ status }) => status)).toEqual(['open', 'paid']);
      expect(await pay(listener, { outcome: 'confirmed' })).toBe(200);
      expect(await charged(listener)).toEqual([999, 1999]);
    },
  );

  it('[CRED-42] the request sent again after its answer was lost is told the same, and bills no second time', async () => {
    const listener = await subscribed('starter', ALWAYS_ASKS);
    const key = randomUUID();
    await hook('fail-next-change', { times: 2, how: 'lost-after' });
    expect((await ask(listener, 'up', key)).status).toBe(202);
    const request = { type: 'ChangePlan', plan: 'studio' } as const;
    await on.changes.reserve(listener.userId, request, key);
    await on.changes.sweep(0);
    expect(await told(listener)).toEqual(ASKED);
    expect(await subscription(listener)).toMatchObject({ pendingChange: { needs: 'confirmation' } });
    expect(await charged(listener)).toEqual([999]);
  });
});

describe('several requests while an upgrade awaits its payer', () => {
  /** Returns every order of these things. */
  const orders = <Thing>(things: readonly Thing[]): Thing[][] =>
    things.length < 2
      ? [[...things]]
      : things.flatMap((first) =>
          orders(things.filter((thing) => thing !== first)).map((rest) => [first, ...rest]),
        );
  const REQUESTS = ['up', 'down', 'cancel', 'withdraw'] as const;

  it.each(['one after the other', 'at once'])(
    '[CRED-46] all orders of up, down, cancel and withdraw, %s: no charge without its payer, and the stream tells',
    async (how) => {
      await Promise.all(
        orders(REQUESTS).map(async (order) => {
          const listener = await asked('premium');
          const answers = [];
          if (how === 'at once')
            answers.push(...(await Promise.all(order.map((each) => ask(listener, each)))));
          else for (const each of order) answers.push(await ask(listener, each));
          expect(answers.filter(({ status }) => ![200, 202, 409].includes(status))).toEqual([]);
          expect(await charged(listener)).toEqual([1599]);
          // Every requested change has an outcome, except one that waits.
          const changes = await told(listener);
          const { pendingChange } = await subscription(listener);
          const begun = changes.filter((change) => change.startsWith('PlanChangeRequested')).length;
          const ended = changes.filter((change) => /^PlanChange(Completed|Failed)/.test(change)).length;
          expect([order, begun - ended]).toEqual([order, pendingChange ? 1 : 0]);
          if (!pendingChange) return;
          expect(await pay(listener, { outcome: 'confirmed' })).toBe(200);
          expect(await charged(listener)).toEqual([1599, 1999]);
          expect(await subscription(listener)).toMatchObject({ plan: 'studio', scheduledChange: null });
        }),
      );
    },
  );
});
