import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../application/shared/clock.js';
import { ALWAYS_ASKS, startChangingPlans, type Request } from '../support/changing-plans.js';
import { creditsOf, subscriptionsOn } from '../support/payments.js';
import { gatewayFor, sdkFor } from '../support/stripe.js';

let plans: Awaited<ReturnType<typeof startChangingPlans>>;
let { ask, charged, hook, on, simulator, store, subscribed, subscription, told } = {} as typeof plans;

beforeAll(async () => {
  plans = await startChangingPlans();
  ({ ask, charged, hook, on, simulator, store, subscribed, subscription, told } = plans);
});
afterEach(() => hook('latency', { ms: 0 }));
afterAll(() => plans?.close());

const UPGRADED = ['PlanChangeRequested upgrade', 'PlanChangeCompleted'];
const refusedAs = (answers: Array<{ status: number; body: { code: string } }>) =>
  [...new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))].sort();

describe('several changes at once', () => {
  it('[CRED-30] ten upgrades with ten keys charge once', async () => {
    const listener = await subscribed('starter');
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(listener, 'up')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const code of refusedAs(answers)) expect(['ChangePending', 'PlanUnchanged']).toContain(code);
    expect(await charged(listener)).toEqual([999, 1999]);
    expect(await told(listener)).toEqual(UPGRADED);
  });

  it('[CRED-30] a second tab while the provider takes its time is told what is under way, and charges nothing', async () => {
    const listener = await subscribed('starter');
    await hook('latency', { ms: 400 });
    const first = ask(listener, 'up');
    let shown = await subscription(listener);
    for (; shown.pendingChange === null; shown = await subscription(listener));
    expect(shown).toMatchObject({
      plan: 'starter',
      pendingChange: { kind: 'upgrade', plan: 'studio', requestedAt: expect.stringMatching(/^20..-/) },
    });
    expect(await ask(listener, 'up')).toMatchObject({
      status: 409,
      body: { code: 'ChangePending', kind: 'upgrade', plan: 'studio' },
    });
    expect(await first).toMatchObject({ status: 200, body: { plan: 'studio', pendingChange: null } });
    await hook('latency', { ms: 0 });
    expect(await charged(listener)).toEqual([999, 1999]);
  });

  it.each([0, 300, 1_000, 2_000])(
    '[CRED-46] two tabs, with one key and with two, while each answer of the provider takes %s ms: one charge',
    async (ms) => {
      const cards = [undefined, undefined, ALWAYS_ASKS, ALWAYS_ASKS];
      const listeners = await Promise.all(cards.map((card) => subscribed('starter', card)));
      await hook('latency', { ms });
      const answers = await Promise.all(
        listeners.flatMap((listener, at) => {
          const key = randomUUID();
          return [ask(listener, 'up', key), ask(listener, 'up', at % 2 === 0 ? key : randomUUID())];
        }),
      );
      await hook('latency', { ms: 0 });
      for (const { status, body } of answers)
        if (status >= 300)
          expect([409, ['ChangePending', 'PlanUnchanged', 'IdempotencyInFlight']]).toEqual([
            status,
            expect.arrayContaining([body.code]),
          ]);
      for (const [at, listener] of listeners.entries()) {
        const asks = cards[at] === ALWAYS_ASKS;
        expect(await charged(listener)).toEqual(asks ? [999] : [999, 1999]);
        expect(await told(listener)).toEqual(
          asks ? ['PlanChangeRequested upgrade', 'PlanChangeAwaitsPayer confirmation'] : UPGRADED,
        );
      }
    },
  );

  const ORDERS = [
    'up down cancel',
    'up cancel down',
    'down up cancel',
    'down cancel up',
    'cancel up down',
    'cancel down up',
  ];
  it.each(ORDERS)('[CRED-30] %s at once: one is done, none breaks, at most one charge', async (order) => {
    const listener = await subscribed('premium');
    await hook('latency', { ms: 20 });
    const answers = await Promise.all(order.split(' ').map((request) => ask(listener, request as Request)));
    await hook('latency', { ms: 0 });
    const done = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(done.length).toBeGreaterThan(0);
    const changes = await told(listener);
    expect(changes.filter((change) => change === 'PlanChangeCompleted')).toHaveLength(done.length);
    expect(changes).toHaveLength(2 * done.length);
    const up = changes.filter((change) => change === 'PlanChangeRequested upgrade').length;
    expect(await charged(listener)).toEqual(up ? [1599, 1999] : [1599]);
    expect(await subscription(listener)).toMatchObject({ pendingChange: null, status: 'active' });
  });

  it('[CRED-30] what the provider finds impossible is refused, and the stream ends with what it says', async () => {
    const listener = await subscribed('starter');
    const current = await on.load(listener.userId);
    const { subscriptionId } = current as { subscriptionId: string };
    await hook('drop-webhooks', { times: 1 });
    await sdkFor(simulator).subscriptions.cancel(subscriptionId);
    expect(await ask(listener, 'up')).toMatchObject({ status: 409, body: { code: 'ChangeRefused' } });
    expect(await told(listener)).toEqual([
      'PlanChangeRequested upgrade',
      'PlanChangeFailed SubscriptionEnded',
    ]);
    expect(await subscription(listener)).toMatchObject({ status: 'canceled', pendingChange: null });
  });
});

describe('left half done', () => {
  it.each(['lost-before', 'lost-after'])(
    '[CRED-31] a connection that is %s the charge is no failure: under way, then done by the sweep, charged once',
    async (how) => {
      const listener = await subscribed('starter');
      await hook('fail-next-change', { times: 2, how });
      expect(await ask(listener, 'up')).toMatchObject({
        status: 202,
        body: { pendingChange: { kind: 'upgrade', plan: 'studio' } },
      });
      expect(await ask(listener, 'cancel')).toMatchObject({ status: 409, body: { code: 'ChangePending' } });
      expect(await on.changes.sweep(0)).toEqual({ closed: 1 });
      expect(await on.changes.sweep(0)).toEqual({ closed: 0 });
      expect(await charged(listener)).toEqual([999, 1999]);
      expect(await told(listener)).toEqual(UPGRADED);
      expect(await subscription(listener)).toMatchObject({ plan: 'studio', pendingChange: null });
      await simulator.advance(1 / 86_400);
      expect((await creditsOf(store.database, listener.userId)).balance).toBe(200);
    },
  );

  it('[CRED-31] a crash between reservation and charge: the sweep charges once', async () => {
    const listener = await subscribed('starter');
    await on.changes.reserve(listener.userId, { type: 'ChangePlan', plan: 'studio' }, randomUUID());
    await Promise.all([on.changes.sweep(0), on.changes.sweep(0)]);
    expect(await charged(listener)).toEqual([999, 1999]);
    expect(await told(listener)).toEqual(UPGRADED);
  });

  it.each(['kept', 'forgotten'])(
    '[CRED-31] a crash between charge and record, the keys %s: the sweep finds the charge',
    async (keys) => {
      const listener = await subscribed('starter');
      const request = { type: 'ChangePlan', plan: 'studio' } as const;
      const reserved = await on.changes.reserve(listener.userId, request, randomUUID());
      if (reserved.outcome !== 'reserved') throw new Error(reserved.outcome);
      const { subscriptionId, change } = reserved;
      await gatewayFor(simulator).upgrade(subscriptionId, 'studio', `${change.changeId}-studio`);
      if (keys === 'forgotten') await hook('forget-keys');
      await on.changes.sweep(0);
      expect(await charged(listener)).toEqual([999, 1999]);
      expect(await told(listener)).toEqual(UPGRADED);
    },
  );

  it('[CRED-31] the request that reserved goes on with its change when it is sent again', async () => {
    const listener = await subscribed('starter');
    const key = randomUUID();
    await on.changes.reserve(listener.userId, { type: 'ChangePlan', plan: 'studio' }, key);
    expect(await ask(listener, 'up', key)).toMatchObject({ status: 200, body: { plan: 'studio' } });
    expect(await charged(listener)).toEqual([999, 1999]);
    expect(await told(listener)).toEqual(UPGRADED);
  });

  it('[CRED-31] hours later nothing is charged any more, and what was done is recorded', async () => {
    class Earlier extends Clock {
      now = () => new Date(Date.now() - 3 * 60 * 60_000);
    }
    const earlier = subscriptionsOn(store.database, gatewayFor(simulator), new Earlier());
    const [asked, done] = [await subscribed('starter'), await subscribed('starter')];
    for (const { userId } of [asked, done])
      await earlier.changes.reserve(userId, { type: 'ScheduleCancellation' }, randomUUID());
    const known = await on.load(done.userId);
    const { subscriptionId } = known as { subscriptionId: string };
    await gatewayFor(simulator).scheduleCancellation(subscriptionId, 'by hand');
    await on.changes.sweep();
    expect(await told(asked)).toEqual(['PlanChangeRequested cancel', 'PlanChangeFailed ChangeAbandoned']);
    expect(await told(done)).toEqual(['PlanChangeRequested cancel', 'PlanChangeCompleted']);
    expect(await subscription(done)).toMatchObject({ scheduledChange: { kind: 'cancel' } });
  });

  it('[CRED-31] a provider that is away reserves nothing', async () => {
    const listener = await subscribed('starter');
    const down = subscriptionsOn(store.database, gatewayFor({ url: 'http://127.0.0.1:9' }));
    await expect(
      down.changes.reserve(listener.userId, { type: 'ScheduleCancellation' }, randomUUID()),
    ).rejects.toThrow('Stripe');
    expect(await told(listener)).toEqual([]);
  });
});
