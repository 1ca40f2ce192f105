import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import type { StripePaymentGateway } from '../../adapters/vendors/stripe/stripe-payment-gateway.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { PaymentGateway } from '../../application/payments/payment-gateway.js';
import {
  FollowSubscriptionHandler,
  SubscriptionFacts,
  PaymentSweep,
  SettleInvoiceHandler,
} from '../../application/subscriptions/follow-subscription.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { TaxTerms } from '../../application/subscriptions/tax.js';
import { Streams } from '../../application/shared/streams.js';
import { randomFrom } from '../../domain/shared/seeded-random.js';
import { subscriptionDecider } from '../../domain/subscriptions/subscription.js';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import {
  InMemoryCreditExecutor,
  InMemoryPaymentRecords,
  RememberingGateway,
} from '../support/payment-memory.js';
import { busTo } from '../support/command-bus.js';
import { creditsOf, subscriptionsOn, UNCOUNTED } from '../support/payments.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { SEED, sizeOf } from '../support/sizes.js';
import { StormDispatcher, stormOf } from '../support/webhook-storm.js';
import { gatewayFor, press, sdkFor, startWithInbox, type WebhookInbox } from '../support/stripe.js';

const PERMUTATIONS = sizeOf('WEBHOOK_PERMUTATIONS');

let simulator: StripeSimulator;
let gateway: StripePaymentGateway;
let stripe: Stripe;
let open: Awaited<ReturnType<typeof startWithInbox>>;
let inbox: WebhookInbox;
let dispatcher: StormDispatcher;
/** Every event of the history, in the order in which it happened. */
let events: Stripe.Event[];
const users = new Map<string, string>();
/** Processed the history while it happened. */
let witness: ReturnType<typeof inMemory>;

beforeAll(async () => {
  open = await startWithInbox();
  ({ inbox, simulator } = open);
  gateway = gatewayFor(simulator);
  stripe = sdkFor(simulator);
  dispatcher = new StormDispatcher(stripe);
  witness = inMemory(gateway);
  inbox.answer = ({ body, signature }) =>
    witness.webhooks.receive(body, signature).then(
      () => 200,
      () => 500,
    );
  await makeHistory();
  const listed = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
  const newestId = listed[0]?.id;
  while (!inbox.received.some(({ event }) => event.id === newestId))
    await new Promise((resolve) => setTimeout(resolve, 5));
  await simulator.advance(1 / 86_400);
  // Four deliveries run concurrently, so the order of arrival differs slightly from that of the events.
  const distinct = new Map(inbox.received.map(({ event }) => [event.id, event]));
  events = [...distinct.values()].sort((a, b) => a.created - b.created);
});
afterAll(() => open.close());

async function subscribe(userId: string, plan: PlanId, card = '4242424242424242'): Promise<string> {
  const known = [...users].find(([, user]) => user === userId)?.[0];
  const { url, customerId } = await gateway.createCheckout({
    userId,
    email: `${userId}@example.com`,
    product: plan,
    ...(known ? { customerId: known } : {}),
    successUrl: 'http://127.0.0.1:9/s',
    cancelUrl: 'http://127.0.0.1:9/c',
    idempotencyKey: `${userId}-${plan}`,
  });
  await press(url, { outcome: 'paid', card });
  users.set(customerId as string, userId);
  const { data } = await stripe.subscriptions.list({ customer: customerId as string });
  return data[0]?.id as string;
}

/** Creates the histories of four listeners, which together reach every state of a subscription. */
async function makeHistory(): Promise<void> {
  const ada = await subscribe('ada', 'starter');
  await subscribe('bo', 'premium', '4000000000000341');
  const cy = await subscribe('cy', 'studio');
  await simulator.advance(35);
  await gateway.upgrade(ada, 'premium', 'ada-up');
  await gateway.scheduleDowngrade(cy, 'starter', 'cy-down');
  await simulator.advance(20);
  await gateway.scheduleCancellation(ada, 'ada-cancel');
  await gateway.withdrawScheduledChange(ada, 'ada-resume');
  const failing = [...users].find(([, user]) => user === 'cy')?.[0] as string;
  await fetch(`${simulator.url}/_test/fail-next-payment`, {
    method: 'POST',
    body: new URLSearchParams({ customer: failing }),
  });
  await simulator.advance(14);
  await gateway.scheduleCancellation(ada, 'ada-cancel-again');
  await simulator.advance(31);
  await subscribe('ada', 'studio');
  const dee = await subscribe('dee', 'studio');
  await gateway.scheduleDowngrade(dee, 'premium', 'dee-down');
  await simulator.advance(5);
}

const LISTENERS = ['ada', 'bo', 'cy', 'dee'];

/** Delivers in the given order, up to `atOnce` concurrently. */
const deliver = (webhooks: PaymentEvents, deliveries: Stripe.Event[], atOnce = 1): Promise<void> =>
  dispatcher.deliver(webhooks, deliveries, atOnce);

function inMemory(payments: PaymentGateway = new RememberingGateway(gateway)) {
  const clock = new SystemClock();
  const store = new InMemoryEventStore();
  const executor = new InMemoryCreditExecutor();
  const streams = new Streams(store);
  const load = (userId: string) => streams.load(subscriptionDecider, userId);
  const records = new InMemoryPaymentRecords(
    new Map(users),
    async () => {
      const loaded = await Promise.all(
        LISTENERS.map(async (userId) => ({ userId, subscription: await load(userId) })),
      );
      return loaded.flatMap(({ userId, subscription }) =>
        subscription.status === 'None' || subscription.status === 'Ended'
          ? []
          : [{ userId, subscriptionId: subscription.subscriptionId }],
      );
    },
    new Set(['mallory']),
  );
  const commands = busTo(
    (bus) => new FollowSubscriptionHandler(streams, payments, bus, clock),
    (bus) => new SettleInvoiceHandler(executor, payments, records, bus, new TaxTerms(false, ''), clock),
  );
  return {
    executor,
    load,
    webhooks: new PaymentEvents(
      payments,
      records,
      clock,
      { all: [new SubscriptionFacts(payments, records, commands)] },
      UNCOUNTED,
    ),
    sweep: new PaymentSweep(payments, records, commands, clock),
    outcome: async () => ({
      grants: [...executor.grants.values()]
        .map(({ userId, invoiceLineId, credits, netMicroUsd }) => [
          userId,
          invoiceLineId,
          credits,
          netMicroUsd,
        ])
        .sort((a, b) => String(a[1]).localeCompare(String(b[1]))),
      subscriptions: await Promise.all(LISTENERS.map(load)),
    }),
  };
}

/** Returns the paid-invoice events of one listener, oldest first. */
async function paidEventsOf(userId: string): Promise<Stripe.Event[]> {
  const listed = await stripe.events.list({ type: 'invoice.paid', limit: 100 });
  return listed.data
    .filter((event) => users.get((event.data.object as { customer?: string }).customer ?? '') === userId)
    .reverse();
}

describe('webhooks of one history', () => {
  it('in order bring every paid month its credits and every subscription to its end', async () => {
    const ordered = inMemory();
    await deliver(ordered.webhooks, events);
    const { grants, subscriptions } = await ordered.outcome();
    const credits = (userId: string) =>
      grants.filter(([user]) => user === userId).map(([, , count]) => count);
    expect(credits('ada').sort()).toEqual([100, 100, 150, 50, 50].sort());
    expect(credits('bo')).toEqual([100]);
    expect(credits('cy').sort()).toEqual([150, 150, 50, 50].sort());
    expect(credits('dee')).toEqual([150]);
    expect(subscriptions).toMatchObject([
      { status: 'Active', plan: 'studio', scheduled: null },
      { status: 'Ended', plan: 'premium' },
      { status: 'Active', plan: 'starter', scheduled: null },
      { status: 'Active', plan: 'studio', scheduled: { kind: 'downgrade', plan: 'premium' } },
    ]);
  });

  it('as they happen bring the same as all of them afterwards', async () => {
    const ordered = inMemory();
    await deliver(ordered.webhooks, events);
    expect(await witness.outcome()).toEqual(await ordered.outcome());
  });

  it(`[FIN-14] [CRED-05] twice, late, shuffled or never (${PERMUTATIONS} times) have the effect of once in order (seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    // The history has ended, so all runs share one cached copy of the provider's answers.
    const remembered = new RememberingGateway(gateway);
    const ordered = inMemory(remembered);
    await deliver(ordered.webhooks, events);
    const expected = await ordered.outcome();
    for (let permutation = 0; permutation < PERMUTATIONS; permutation += 1) {
      const shaken = inMemory(remembered);
      // In every other run some webhooks never arrive, and the sweep replaces them.
      const lossy = permutation % 2 === 1;
      const deliveries = stormOf(events, random, { lossy });
      await deliver(shaken.webhooks, deliveries, 1 + Math.floor(random() * 4));
      if (lossy) await shaken.sweep.run();
      expect({ permutation, ...(await shaken.outcome()) }).toEqual({ permutation, ...expected });
    }
  });

  it('[FIN-14] two events for one fact: either alone is enough, and both are one', async () => {
    const paid = events.filter(({ type }) => type === 'invoice.paid');
    const succeeded = events.filter(({ type }) => type === 'invoice.payment_succeeded');
    expect(paid).toHaveLength(succeeded.length);
    const [one, other, both] = [inMemory(), inMemory(), inMemory()];
    await deliver(one.webhooks, paid);
    await deliver(other.webhooks, succeeded);
    await deliver(both.webhooks, [...succeeded, ...paid]);
    expect((await one.outcome()).grants).toEqual((await other.outcome()).grants);
    expect((await both.outcome()).grants).toEqual((await one.outcome()).grants);
    expect(one.executor.grants.size).toBe(paid.length);
  });

  it('[CRED-05] a checkout that completed grants nothing by itself', async () => {
    const { webhooks, outcome } = inMemory();
    await deliver(
      webhooks,
      events.filter(({ type }) => !type.startsWith('invoice.')),
    );
    expect(await outcome()).toMatchObject({
      grants: [],
      subscriptions: LISTENERS.map(() => ({ status: 'None' })),
    });
  });

  it('[CRED-05] the sweep grants what no webhook told of, once', async () => {
    const { sweep, webhooks, executor, outcome } = inMemory();
    const ordered = inMemory();
    await deliver(ordered.webhooks, events);
    const half = events.filter(({ type }) => type === 'invoice.paid').slice(0, 4);
    await deliver(webhooks, half);
    const missing = (await ordered.outcome()).grants.length - executor.grants.size;
    expect((await sweep.run()).settled).toBe(missing);
    expect((await outcome()).grants).toEqual((await ordered.outcome()).grants);
    expect((await sweep.run()).settled).toBe(0);
  });

  it('a late word about an older subscription does not bring it back', async () => {
    const { webhooks, load } = inMemory(gateway);
    const older = await subscribe('eve', 'starter');
    await stripe.subscriptions.cancel(older);
    await simulator.advance(1);
    const newer = await subscribe('eve', 'premium');
    const paid = await paidEventsOf('eve');
    expect(paid).toHaveLength(2);
    await stripe.subscriptions.cancel(newer);
    await deliver(webhooks, [...paid].reverse());
    expect(await load('eve')).toMatchObject({ status: 'Ended', subscriptionId: newer });
  });

  it('a new subscription takes over although nobody told that the old one ended', async () => {
    const { webhooks, load } = inMemory(gateway);
    const older = await subscribe('fay', 'starter');
    await deliver(webhooks, await paidEventsOf('fay'));
    expect(await load('fay')).toMatchObject({
      status: 'Active',
      subscriptionId: older,
    });
    await stripe.subscriptions.cancel(older);
    await simulator.advance(1);
    const newer = await subscribe('fay', 'studio');
    await deliver(webhooks, (await paidEventsOf('fay')).slice(1));
    expect(await load('fay')).toMatchObject({
      status: 'Active',
      subscriptionId: newer,
    });
  });

  it('a second subscription beside a running one keeps its credits and is not billed again', async () => {
    const { webhooks, load, executor } = inMemory(gateway);
    const first = await subscribe('gil', 'starter');
    await deliver(webhooks, await paidEventsOf('gil'));
    const second = await subscribe('gil', 'studio');
    await deliver(webhooks, await paidEventsOf('gil'));
    expect([...executor.grants.values()].map(({ credits }) => credits)).toEqual([50, 150]);
    expect(await load('gil')).toMatchObject({ subscriptionId: first, plan: 'starter' });
    expect(await gateway.readSubscription(second)).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await gateway.readSubscription(first)).toMatchObject({ cancelAtPeriodEnd: false });
  });

  it('an event about a stranger’s customer is taken and has no effect', async () => {
    const { webhooks, outcome } = inMemory();
    const customer = await stripe.customers.create({ email: 'stranger@example.com' });
    const listed = await stripe.events.list({ type: 'customer.created', limit: 1 });
    const event = listed.data[0] as Stripe.Event;
    expect(event.data.object).toMatchObject({ id: customer.id });
    expect(await webhooks.receive(...dispatcher.signed(event))).toBe('ignored');
    expect((await outcome()).grants).toEqual([]);
  });

  it('[CRED-480] a payment whose mark names a user of another system grants nothing', async () => {
    await subscribe('mallory', 'starter');
    const [customerId = ''] = [...users].find(([, user]) => user === 'mallory') ?? [];
    users.delete(customerId);
    const { webhooks, outcome, load } = inMemory();
    for (const type of ['invoice.paid', 'customer.subscription.created']) {
      const { data } = await stripe.events.list({ type, limit: 100 });
      const event = data.find(({ data }) => (data.object as { customer?: string }).customer === customerId);
      expect(await webhooks.receive(...dispatcher.signed(event as Stripe.Event))).toBe('ignored');
    }
    expect((await outcome()).grants).toEqual([]);
    expect((await load('mallory')).status).toBe('None');
  });
});

describe('the same on PostgreSQL', () => {
  let store: TestDatabase;
  beforeAll(async () => {
    store = await startTestDatabase();
  });
  afterAll(() => store?.close());

  it('[FIN-14] [CRED-05] a storm with racing deliveries and a racing sweep grants each line once', async () => {
    const { database } = store;
    const { webhooks, sweep, records, reader, load } = subscriptionsOn(database, gateway);
    for (const [customerId, userId] of users) await records.rememberCustomer(userId, customerId, new Date());
    const expected = inMemory();
    await deliver(expected.webhooks, events);
    const { grants, subscriptions } = await expected.outcome();
    await Promise.all([deliver(webhooks, stormOf(events, randomFrom(SEED)), 6), sweep.run(), sweep.run()]);
    for (const [index, userId] of LISTENERS.entries()) {
      const own = grants.filter(([user]) => user === userId);
      const held = await creditsOf(database, userId);
      expect(held.balance).toBe(own.reduce((sum, [, , credits]) => sum + Number(credits), 0));
      expect(held.grants.map(({ lotId }) => lotId).sort()).toEqual(
        own.map(([, line]) => `invoice-${line}`).sort(),
      );
      expect(await load(userId)).toEqual(subscriptions[index]);
    }
    expect(await reader.current('ada')).toMatchObject({
      plan: 'studio',
      status: 'active',
      scheduledChange: null,
    });
    expect(await reader.current('bo')).toMatchObject({
      plan: 'premium',
      status: 'canceled',
      currentPeriodEnd: null,
    });
    expect(await reader.current('dee')).toMatchObject({
      scheduledChange: { kind: 'downgrade', plan: 'premium' },
    });
    const { rows } = await database.pool.query(
      'select count(*)::int as n from stripe_webhook where handled_at is null',
    );
    expect(rows[0].n).toBe(0);
    expect((await sweep.run()).settled).toBe(0);
  });

  it('a webhook that failed half way is done when it comes again', async () => {
    const { database } = store;
    await database.pool.query('delete from stripe_webhook');
    const paid = events.find(({ type }) => type === 'invoice.paid') as Stripe.Event;
    const broken = subscriptionsOn(database, gatewayFor({ url: 'http://127.0.0.1:9' }));
    await expect(broken.webhooks.receive(...dispatcher.signed(paid))).rejects.toThrow('Stripe');
    const { webhooks } = subscriptionsOn(database, gateway);
    expect(await webhooks.receive(...dispatcher.signed(paid))).toBe('handled');
    expect(await webhooks.receive(...dispatcher.signed(paid))).toBe('repeated');
  });
});
