import { afterAll, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { FINANCIAL_EVENT_TYPES } from '../../domain/ledger/entry.js';
import { randomFrom } from '../../domain/shared/seeded-random.js';
import { backfillStripe } from '../../cli/stripe-backfill.command.js';
import type { HttpClient } from '../support/http-client.js';
import { balance, comesTo } from '../support/money-back.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { SEED } from '../support/sizes.js';
import { signedUpAs } from '../support/staff.js';
import { purchaseOf, stock } from '../support/stock.js';
import { press, sdkFor, startStripeSimulator, WEBHOOK_SECRET } from '../support/stripe.js';
import { StormDispatcher, stormOf } from '../support/webhook-storm.js';

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

type Telling = (product: TestProduct, webhooks: () => Promise<void>) => Promise<unknown>;

const backfill: Telling = async (product) => {
  const said: string[] = [];
  await backfillStripe(product, { since: '2025-01-01' }, (line) => said.push(line));
  return Object.fromEntries(said.filter((line) => /^[a-z]/.test(line)).map((line) => line.split(': ')));
};

/**
 * Starts a product that knows three payments and then receives no webhook for 70 days.
 * @returns the resulting books
 */
async function silence(telling: Telling) {
  const simulator = await startStripeSimulator({ webhookSecret: WEBHOOK_SECRET });
  closing.push(() => simulator.close());
  const product = await startTestProduct({
    STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: simulator.url,
  });
  closing.push(() => product.stop());
  const stripe = sdkFor(simulator);
  const dispatcher = new StormDispatcher(stripe);
  const receive = async (body: Buffer, signature: string) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const sent = { method: 'POST', headers, body: new Uint8Array(body) };
    const answer = await fetch(`${product.url}/api/stripe/webhook`, sent);
    // A delivery that meets the same event in progress is repeated.
    if (answer.status === 503) throw Object.assign(new Error('again'), { name: 'StreamVersionConflict' });
    if (answer.status !== 200) throw new Error(await answer.text());
    return 'handled' as const;
  };
  const told = new Set<string>();
  const news = async (): Promise<Stripe.Event[]> => {
    const listed = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
    const fresh = listed.filter(({ id }) => !told.has(id)).toReversed();
    for (const { id } of fresh) told.add(id);
    return fresh;
  };
  const hook = async (name: string, fields: object): Promise<{ id: string }> => {
    const headers = { 'content-type': 'application/json' };
    const url = `${simulator.url}/_test/${name}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(fields) });
    expect([name, answer.status]).toEqual([name, 200]);
    return (await answer.json()) as { id: string };
  };
  const days = async (count: number): Promise<void> => {
    await simulator.advance(count);
    const apart = () => Math.abs(product.resources.clock.now().getTime() - simulator.now().getTime());
    await comesTo(() => Promise.resolve(apart() < 60_000), true);
  };

  const petra = await signedUpAs(product, 'finance');
  const payer = async (): Promise<HttpClient> => {
    const who = await product.signedUp();
    const { body } = await who.post('/api/stripe/create-checkout-session', { plan: 'studio' });
    await press(body.url, { outcome: 'paid' });
    return who;
  };
  const listeners = [await payer(), await payer(), await payer()] as const;
  const [ada, bea, cal] = listeners;
  await dispatcher.deliver({ receive }, await news());
  for (const who of listeners) expect(await balance(who)).toBe(150);
  const invoiceOf = async ({ userId }: HttpClient): Promise<string> => {
    const history = await product.resources.eventStore.readStream(`credits-${userId}`);
    const [grant] = history as unknown as { data: { invoice: { invoiceId: string } } }[];
    return grant?.data.invoice.invoiceId ?? '';
  };
  const [sample] = await stock(product.resources.database, 1, { creatorId: 'junie', priceCredits: 50 });
  const order = purchaseOf(ada.userId, [sample as string], { expectedCredits: 50 });
  expect((await product.resources.creditExecutor.buy(order)).outcome.status).toBe('bought');

  await days(2);
  await hook('refund', { invoice: await invoiceOf(bea), amountUsdCents: 700 });
  const won = await hook('dispute', { invoice: await invoiceOf(cal) });
  const lost = await hook('dispute', { invoice: await invoiceOf(ada), amountUsdCents: 1_200 });
  await days(20);
  await hook('close-dispute', { dispute: won.id, outcome: 'won' });
  await hook('close-dispute', { dispute: lost.id, outcome: 'lost' });
  await stripe.payouts.create({ amount: 700, currency: 'usd' });
  await days(48);
  const events = await news();

  const said = await telling(product, async () => {
    await dispatcher.deliver({ receive }, stormOf(events, randomFrom(SEED)), 4);
  });
  // Records movements whose payment was unknown before, and what interrupted runs left.
  await product.app.get(BalanceTransactions, { strict: false }).sweep();
  const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
  const { accounts } = (await petra.get('/api/finance/trial-balance?grouped=true')).body;
  const movements = await stripe.balanceTransactions.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
  const counted = await product.resources.database.pool.query(
    'select type, count(*)::int from event where type = any($1) group by type order by type',
    [FINANCIAL_EVENT_TYPES],
  );
  const sums: Record<string, number> = {};
  for (const { account, debitMicroUsd, creditMicroUsd } of accounts)
    sums[account as string] = Number(debitMicroUsd) - Number(creditMicroUsd);
  const books = {
    broken: invariants.filter(({ holds, number }) => !holds && ![15, 18, 21].includes(number)),
    credits: await Promise.all(listeners.map(balance)),
    events: Object.fromEntries(counted.rows.map(({ type, count }) => [type, count])) as Record<
      string,
      number
    >,
    sums,
  };
  expect(sums['stripe:balance']).toBe(movements.reduce((sum, { net }) => sum + net, 0) * 10_000);
  return { books, said };
}

it(`[FIN-129] a backfill finds old refunds and disputes as new, and beside webhooks of the same facts both end in the books of either (seed ${SEED})`, async () => {
  const alone = await silence(backfill);
  expect(alone.said).toMatchObject({
    invoices: expect.stringMatching(/^6 new, 3 known/),
    'money-back': expect.stringMatching(/^3 new/),
    'bank-payouts': expect.stringMatching(/^1 new/),
  });
  const { broken, events, credits } = alone.books;
  expect(broken).toEqual([]);
  expect(events).toMatchObject({ InvoiceRefunded: 1, DisputeOpened: 2, DisputeWon: 1, DisputeLost: 1 });
  expect(credits).toEqual([300, 150 * 3 - 52, 450]);
  const webhooks = await silence((_, deliver) => deliver());
  expect(webhooks.books).toEqual(alone.books);
  const both = await silence((product, deliver) => Promise.all([backfill(product, deliver), deliver()]));
  expect(both.books).toEqual(alone.books);
});
