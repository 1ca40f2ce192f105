import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { CarryOutRequest } from '../../application/approvals/decide-on-request.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { BankPayouts } from '../../application/payments/record-bank-payout.js';
import { MoneyBackFacts } from '../../application/payments/money-back.js';
import { PayoutSweep } from '../../application/payouts/payout-sweep.js';
import { PaymentSweep } from '../../application/subscriptions/follow-subscription.js';
import { startProduct, type Product } from '../../bootstrap/product.js';
import { randomFrom, type Random } from '../../domain/shared/seeded-random.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { HttpClient, keyed } from '../support/http-client.js';
import { balance, comesTo } from '../support/money-back.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { SEED } from '../support/sizes.js';
import { signedUpAs } from '../support/staff.js';
import { purchaseOf, stock } from '../support/stock.js';
import { onboard, press, sdkFor, startStripeSimulator, WEBHOOK_SECRET } from '../support/stripe.js';
import { StormDispatcher, stormOf } from '../support/webhook-storm.js';

const AT_ONCE = 4;
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Nodes on one database, and a provider without automatic webhooks. */
interface World {
  simulator: StripeSimulator;
  stripe: Stripe;
  product: TestProduct;
  nodes: readonly Product[];
  /** Delivers all new events to every node. */
  tell: () => Promise<void>;
}

/** @param random of a storm; without it, each event arrives once and in order */
async function open(count: 1 | 2, random?: Random): Promise<World> {
  const simulator = await startStripeSimulator({ webhookSecret: WEBHOOK_SECRET });
  closing.push(() => simulator.close());
  const product = await startTestProduct({
    STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: simulator.url,
    STRIPE_TAX: 'on',
    TAX_SELLER: 'Offcut GmbH, VAT DE999999999',
  });
  closing.push(() => product.stop());
  const nodes: Product[] = [product];
  if (count === 2) {
    const dataDir = mkdtempSync(join(tmpdir(), 'offcut-second-node-'));
    const { config } = product.resources;
    const second = await startProduct({ ...config, port: 0, publicUrl: 'http://localhost:0', dataDir });
    nodes.push(second);
    closing.push(async () => {
      await second.stop();
      rmSync(dataDir, { recursive: true, force: true });
    });
  }
  const stripe = sdkFor(simulator);
  const dispatcher = new StormDispatcher(stripe);
  const everywhere = { receive: (body: Buffer, signature: string) => receivedBy(nodes, body, signature) };
  const told = new Set<string>();
  const tell = async (): Promise<void> => {
    const listed = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
    const news = listed.filter(({ id }) => !told.has(id)).toReversed();
    for (const { id } of news) told.add(id);
    if (random) await dispatcher.deliver(everywhere, stormOf(news, random), AT_ONCE);
    else await dispatcher.deliver(everywhere, news);
  };
  return { simulator, stripe, product, nodes, tell };
}

/**
 * Delivers a webhook to every node at the same moment. Repeats it if a node found it in progress elsewhere.
 */
async function receivedBy(nodes: readonly Product[], body: Buffer, signature: string) {
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const statuses = await Promise.all(
    nodes.map(async ({ url }) => {
      const answer = await fetch(`${url}/api/stripe/webhook`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      return [answer.status, await answer.text()] as const;
    }),
  );
  for (const [status, text] of statuses) if (status !== 200 && status !== 503) throw new Error(text);
  if (statuses.some(([status]) => status === 503))
    throw Object.assign(new Error('come again'), { name: 'StreamVersionConflict' });
  return 'handled' as const;
}

/** Runs work on every node at the same moment. */
const onAll = <Result>({ nodes }: World, work: (node: Product) => Promise<Result>): Promise<Result[]> =>
  Promise.all(nodes.map(work));
/** Returns the same person as a client of another node. */
function at({ url }: Product, who: HttpClient): HttpClient {
  const there = new HttpClient(url);
  for (const [name, value] of who.cookies) there.cookies.set(name, value);
  return there;
}

/** Lets days pass, and waits until every node has the new time. */
async function days(world: World, count: number): Promise<void> {
  await world.simulator.advance(count);
  const behind = () =>
    onAll(
      world,
      async ({ resources }) =>
        Math.abs(resources.clock.now().getTime() - world.simulator.now().getTime()) < 60_000,
    );
  await comesTo(
    behind,
    world.nodes.map(() => true),
  );
  await world.tell();
}

/**
 * Plays a month: listeners from three places pay, creators are paid, money goes back, and two people approve
 * twice.
 */
async function live(world: World) {
  const { product, nodes, simulator, stripe, tell } = world;
  const hook = async (name: string, fields: object): Promise<{ id: string }> => {
    const headers = { 'content-type': 'application/json' };
    const url = `${simulator.url}/_test/${name}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(fields) });
    expect([name, answer.status]).toEqual([name, 200]);
    return (await answer.json()) as { id: string };
  };
  const [pia, quinn, petra] = [
    await signedUpAs(product, 'admin'),
    await signedUpAs(product, 'admin'),
    await signedUpAs(product, 'finance'),
  ];
  const junie = await product.signedUp();
  await junie.post('/api/creator/application', {});
  const account = { userId: junie.userId, email: junie.email, country: 'US' };
  const connected = await junie.post('/api/stripe/connect/create-account', account);
  await onboard(connected.body.url, 'completed');

  const payer = async (place: string): Promise<HttpClient> => {
    const who = await product.signedUp();
    const { body } = await who.post('/api/stripe/create-checkout-session', { plan: 'studio' });
    await press(body.url, { outcome: 'paid', place });
    return who;
  };
  const [ada, bea, cal, dot] = [
    await payer('NL'),
    await payer('DE'),
    await payer('US-NY'),
    await payer('NL'),
  ];
  await tell();
  for (const who of [ada, bea, cal, dot]) expect(await balance(who)).toBe(150);
  const invoiceOf = async ({ userId }: HttpClient): Promise<string> => {
    const history = await product.resources.eventStore.readStream(`credits-${userId}`);
    const grant = history.find(({ type }) => type === 'CreditsGranted')?.data as {
      invoice: { invoiceId: string };
    };
    return grant.invoice.invoiceId;
  };
  const subscriptionOf = async (who: HttpClient): Promise<Stripe.Subscription> => {
    const all = await stripe.subscriptions.list({ limit: 100 });
    const found = all.data.find(({ metadata }) => metadata['userId'] === who.userId);
    expect(found).toBeDefined();
    return found as Stripe.Subscription;
  };

  const samples = await stock(product.resources.database, 4, { creatorId: junie.userId, priceCredits: 50 });
  const buy = async (node: Product | undefined, { userId }: HttpClient, sample: string | undefined) => {
    const order = purchaseOf(userId, [sample as string], { expectedCredits: 50 });
    expect((await node!.resources.creditExecutor.buy(order)).outcome.status).toBe('bought');
  };
  for (const [index, sample] of samples.slice(0, 3).entries())
    await buy(nodes[index % nodes.length], ada, sample);
  await buy(nodes.at(-1), bea, samples[3]);

  await days(world, 15);
  // The same click reaches every node, and is repeated if another node had it in progress.
  const click = keyed(randomUUID());
  const clicked = () =>
    onAll(world, (node) =>
      at(node, junie).post('/api/creator/withdrawals', { amountUsdCents: 1_000 }, click),
    );
  const [asked] = (await clicked()).filter(({ status }) => status === 201);
  expect(asked).toBeDefined();
  for (const { status, body } of await clicked()) expect([status, body.id]).toEqual([201, asked?.body.id]);
  const payout = async () => (await junie.get('/api/creator/statements')).body.items[0];
  await comesTo(async () => (await payout()).status, 'paid');
  await hook('reverse-transfer', { transfer: (await payout()).transferId, amountUsdCents: 300 });
  const bounced = await stripe.payouts.create({ amount: 500, currency: 'usd' });
  await stripe.payouts.create({ amount: 700, currency: 'usd' });
  await hook('refund', { invoice: await invoiceOf(bea), amountUsdCents: 700 });
  const dispute = await hook('dispute', { invoice: await invoiceOf(cal) });
  await hook('prorate', { subscription: (await subscriptionOf(ada)).id, amountUsdCents: 300 });
  const { customer } = await subscriptionOf(dot);
  await stripe.customers.update(customer as string, { balance: -500 });
  await days(world, 1);
  await hook('bounce-payout', { payout: bounced.id });
  await hook('close-dispute', { dispute: dispute.id, outcome: 'lost' });
  // All plans renew; dot's customer balance pays a part of hers.
  await days(world, 16);
  expect(await balance(dot)).toBe(300);

  await hook('top-up', { amountUsdCents: 50_000 });
  for (const sweep of [BalanceTransactions, MoneyBackFacts, BankPayouts])
    await onAll(world, ({ app }) => app.get(sweep, { strict: false }).sweep());
  for (const sweep of [PayoutSweep, PaymentSweep])
    await onAll(world, ({ app }) => app.get(sweep, { strict: false }).run());

  const adjusted = await pia.post(
    '/api/admin/adjustments',
    { userId: ada.userId, credits: 501, reason: 'Sorry' },
    keyed(),
  );
  expect(adjusted.status).toBe(202);
  const before = await balance(ada);
  await onAll(world, (node) =>
    at(node, quinn).post(`/api/admin/approvals/${adjusted.body.id}/approve`, {}, keyed()),
  );
  expect(await balance(ada)).toBe(before + 501);

  const { items } = (await petra.get('/api/finance/open-items')).body;
  const topUp = items.find(
    ({ amountMicroUsd }: { amountMicroUsd: number }) => amountMicroUsd === 500_000_000,
  );
  const why = { reason: 'Our own money', evidence: 'Bank statement 2026-11, line 14' };
  const entry = { account: 'suspense', about: topUp.about, to: 'bank', ...why };
  const requested = await petra.post('/api/finance/adjusting-entries', entry, keyed());
  expect(requested.status).toBe(202);
  const { id } = requested.body;
  // The approver acts on every node. Each node carries it out, concurrently with the worker that finishes
  // abandoned work.
  const agreed = await onAll(world, async (node) => {
    const { status, body } = await at(node, quinn).post(`/api/admin/approvals/${id}/approve`, {}, keyed());
    await node.app.get(CommandBus, { strict: false }).execute(new CarryOutRequest(id));
    return [status, body.code];
  });
  expect(agreed).toEqual(nodes.map(() => [200, undefined]));
  const carriedOut = await product.resources.eventStore.readStream(`approval-${id}`);
  expect(carriedOut.map(({ type }) => type)).toEqual([
    'ApprovalRequested',
    'ApprovalGiven',
    'ApprovalCarriedOut',
  ]);

  const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
  const { accounts } = (await petra.get('/api/finance/trial-balance?grouped=true')).body;
  const movements = await stripe.balanceTransactions.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
  const counted = await product.resources.database.pool.query(
    `select type, count(*)::int from event group by type order by type`,
  );
  return {
    broken: invariants.filter(({ holds, number }) => !holds && ![18, 21].includes(number)),
    balances: Object.fromEntries(
      accounts.map(({ account, debitMicroUsd, creditMicroUsd }: Record<string, number | string>) => [
        account,
        Number(debitMicroUsd) - Number(creditMicroUsd),
      ]),
    ) as Record<string, number>,
    atStripe: movements.reduce((sum, { net }) => sum + net, 0) * 10_000,
    events: Object.fromEntries(counted.rows.map(({ type, count }) => [type, count])) as Record<
      string,
      number
    >,
  };
}

it(`[FIN-126] a storm on two nodes at once ends in the books of one node that is told each thing once (seed ${SEED})`, async () => {
  const calm = await live(await open(1));
  expect(calm.broken).toEqual([]);
  expect(calm.balances['stripe:balance']).toBe(calm.atStripe);
  const stormy = await live(await open(2, randomFrom(SEED)));
  expect(stormy).toEqual(calm);
});
