import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { SettleInvoice } from '../../application/payments/settle-invoice.js';
import { PaymentSweep } from '../../application/subscriptions/follow-subscription.js';
import { backfillStripe } from '../../cli/stripe-backfill.command.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import {
  balance,
  bookOf,
  checkOut,
  linesOf,
  mailsTo,
  newestInvoiceOf,
  pull,
  refundBy,
  startWithStaff,
  subscribe,
  comesTo,
} from '../support/money-back.js';
import { caughtUp, type TestProduct } from '../support/product.js';
import { purchaseOf } from '../support/stock.js';
import { press, sdkFor } from '../support/stripe.js';

let product: TestProduct;
let pia: HttpClient;
let petra: HttpClient;
let samples: string[];
beforeAll(async () => {
  ({ product, pia, petra, samples } = await startWithStaff({ stocked: 40, prefix: 'top-ups-' }));
});
afterAll(() => product?.stop());

const stripe = () => sdkFor(product.resources.stripeSimulator!);

/** Buys a top-up and returns its invoice. */
async function topUp(who: HttpClient, body: object = { product: 'top-up-50' }): Promise<string> {
  const before = await balance(who);
  const { status, body: page } = await checkOut(who, body);
  expect(status).toBe(200);
  expect((await press(page.url, { outcome: 'paid' })).status).toBe(303);
  await comesTo(async () => (await balance(who)) > before, true);
  return newestInvoiceOf(product, who);
}

describe('what is on sale', () => {
  it('[SELL-721] is listed for everybody, with the price of one and how many a checkout buys', async () => {
    const { body } = await product.browser().get('/api/products');
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([
      'starter',
      'premium',
      'studio',
      'top-up-25',
      'top-up-50',
      'top-up-100',
    ]);
    expect(body.items[0]).toMatchObject({ kind: 'plan', name: 'Starter', priceUsdCents: 999, mostAtOnce: 1 });
    expect(body.items[4]).toEqual({
      id: 'top-up-50',
      kind: 'top-up',
      name: '50 credits',
      priceUsdCents: 1099,
      credits: 50,
      description: expect.any(String),
      mostAtOnce: 10,
    });
  });
});

describe('a top-up', () => {
  it('[SELL-722] is paid once, needs no plan, and makes a lot worth what was paid, whatever comes twice', async () => {
    const ada = await product.signedUp();
    const key = crypto.randomUUID();
    const first = await checkOut(ada, { product: 'top-up-25', quantity: 3 }, key);
    const again = await checkOut(ada, { product: 'top-up-25', quantity: 3 }, key);
    expect(again.body).toEqual(first.body);
    expect((await checkOut(ada, { product: 'top-up-50' }, key)).body.code).toBe('IdempotencyKeyReused');
    expect(await balance(ada)).toBe(0);
    const page = await (await fetch(first.body.url)).text();
    expect(page).toContain('<h1>Offcut 25 credits × 3</h1>');
    expect(page).toMatch(/<span>Once, for [^<]+<\/span><b>\$17\.97<\/b>/);
    await press(first.body.url, { outcome: 'paid' });
    await press(first.body.url, { outcome: 'paid' });
    await comesTo(() => balance(ada), 75);
    const [lot, ...more] = (await ada.get('/api/credits')).body.lots;
    expect(more).toEqual([]);
    expect(lot).toMatchObject({ source: 'top_up', creditsGranted: 75, valueMicroUsd: 17_970_000 });
    expect(await linesOf(ada)).toEqual(['top_up 75']);
    expect((await ada.get('/api/subscription')).body.status).toBe('none');
    const [charge, ...others] = (await stripe().charges.list()).data;
    expect([charge?.amount, others.length]).toEqual([1797, 0]);
    // The late and repeated webhooks of the same payment change nothing.
    await caughtUp(product);
    const { position } = await product.resources.eventStore.head();
    const invoice = await product.resources.payments.readInvoice(await newestInvoiceOf(product, ada));
    for (const causationId of ['evt_again', 'evt_late'])
      await product.app
        .get(CommandBus)
        .execute(new SettleInvoice(invoice!, { actor: 'system:payments', causationId }));
    expect(await balance(ada)).toBe(75);
    expect((await product.resources.eventStore.head()).position).toBe(position);
    const [receipt] = await mailsTo(product, ada, 'Your receipt, $17.97');
    expect(receipt).toContain('Top-up, 3 × 25 credits\n');
    expect(receipt).not.toContain(' to ');
  });

  it('[SELL-722] leaves a plan, its card and its period as they are', async () => {
    const { ada } = await subscribe(product);
    const before = (await ada.get('/api/subscription')).body;
    const { customerId } = await customerOf(ada);
    const card = (await stripe().customers.retrieve(customerId)) as { invoice_settings: object };
    await topUp(ada);
    expect(await balance(ada)).toBe(100);
    expect((await ada.get('/api/subscription')).body).toEqual(before);
    expect(await stripe().customers.retrieve(customerId)).toMatchObject({
      invoice_settings: card.invoice_settings,
    });
    expect((await checkOut(ada, { product: 'studio' })).body.code).toBe('SubscriptionExists');
  });

  it('[SELL-723] refuses what cannot be sold, and says why', async () => {
    const ada = await product.signedUp();
    const refusals = [
      await checkOut(ada, { product: 'top-up-7' }),
      await checkOut(ada, { product: 'top-up-25', quantity: 11 }),
      await checkOut(ada, { product: 'top-up-25', quantity: 0 }),
      await checkOut(ada, { product: 'top-up-25', quantity: 1.5 }),
      await checkOut(ada, { product: 'starter', quantity: 2 }),
      await ada.post('/api/checkout', { product: 'top-up-25' }),
      await product.browser().post('/api/checkout', { product: 'top-up-25' }, keyed()),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 401]);
    expect(
      (await stripe().checkout.sessions.list({ limit: 100 })).data.every(({ status }) => status !== 'open'),
    ).toBe(true);
  });

  it('[SELL-723] charges nothing if its page is cancelled or its card is declined, and can be paid afterwards', async () => {
    const ada = await product.signedUp();
    const { url } = (await checkOut(ada, { product: 'top-up-100' })).body;
    const cancelled = await press(url, { outcome: 'cancelled' });
    expect(cancelled.headers.get('location')).toContain('checkout=cancelled');
    expect((await press(url, { outcome: 'paid', card: '4000000000000002' })).status).toBe(402);
    expect(await balance(ada)).toBe(0);
    await press(url, { outcome: 'paid' });
    await comesTo(() => balance(ada), 100);
  });

  it('[SELL-724] is refunded as far as it is unspent, by the rules of every lot, and the plan goes on', async () => {
    const { ada } = await subscribe(product);
    // Spent before the top-up, because lots of one second are spent in any order.
    await product.resources.creditExecutor.buy(purchaseOf(ada.userId, samples.slice(0, 10)));
    const invoiceId = await topUp(ada);
    const cash = await bookOf(petra, 'stripe:balance');
    expect((await refundBy(pia, invoiceId)).status).toBe(201);
    await comesTo(() => balance(ada), 40);
    expect(cash - (await bookOf(petra, 'stripe:balance'))).toBe(10_990_000);
    expect((await ada.get('/api/subscription')).body).toMatchObject({
      plan: 'starter',
      scheduledChange: null,
    });
  });

  it('[SELL-724] can be withdrawn from for 14 days, which ends no plan', async () => {
    const { ada } = await subscribe(product);
    const invoiceId = await topUp(ada);
    expect((await ada.get('/api/me/contracts')).body.items[0]).toMatchObject({
      orderNumber: invoiceId,
      sold: ['Top-up, 50 credits'],
    });
    await product
      .browser()
      .post('/api/withdrawals', { name: 'Ada', orderNumber: invoiceId, email: ada.email });
    await comesTo(() => balance(ada), 50);
    const [mail] = await mailsTo(product, ada, 'We received your withdrawal');
    expect(mail).toContain('$10.99 for 50 unspent credits goes back');
    expect(mail).not.toContain('The plan ends');
    expect((await ada.get('/api/subscription')).body).toMatchObject({
      plan: 'starter',
      scheduledChange: null,
    });
  });

  it('[SELL-724] is frozen by a dispute, and gone if the dispute is lost', async () => {
    const ada = await product.signedUp();
    const invoice = await topUp(ada);
    const { id } = await pull(product, 'dispute', { invoice });
    await comesTo(() => balance(ada), 0);
    expect((await ada.get('/api/credits')).body.lots[0]).toMatchObject({ frozen: true });
    await pull(product, 'close-dispute', { dispute: id, outcome: 'lost' });
    await comesTo(async () => (await ada.get('/api/credits')).body.lots, []);
  });

  it('[SELL-725] whose webhooks were lost is found by the sweep, and an old one by the backfill', async () => {
    const [ada, ben] = [await product.signedUp(), await product.signedUp()];
    const lost = async (who: HttpClient) => {
      await pull(product, 'drop-webhooks', { times: 1000 });
      await press((await checkOut(who, { product: 'top-up-25' })).body.url, { outcome: 'paid' });
      expect(await balance(who)).toBe(0);
    };
    await lost(ada);
    const sweep = product.app.get(PaymentSweep, { strict: false });
    await sweep.run();
    await sweep.run();
    expect(await balance(ada)).toBe(25);
    await lost(ben);
    await product.resources.stripeSimulator!.advance(60);
    await sweep.run();
    expect(await balance(ben)).toBe(0);
    await pull(product, 'drop-webhooks', { times: 0 });
    for (const balanceAfter of [25, 25]) {
      await backfillStripe(product, { since: '2025-01-01' }, () => undefined);
      expect(await balance(ben)).toBe(balanceAfter);
    }
  });

  it('[SELL-725] of a payer whom the shop does not know grants nothing, and the money waits as unexplained', async () => {
    const customer = await stripe().customers.create({ email: 'unknown@example.com' });
    const price = (await stripe().prices.list({ product: 'offcut_top-up-25' })).data[0];
    const session = await stripe().checkout.sessions.create({
      mode: 'payment',
      customer: customer.id,
      line_items: [{ price: price!.id, quantity: 1 }],
      invoice_creation: { enabled: true, invoice_data: { metadata: { userId: 'nobody' } } },
      success_url: 'http://127.0.0.1:9/',
    });
    await press(session.url as string, { outcome: 'paid' });
    const [invoice] = (await stripe().invoices.list({ customer: customer.id })).data;
    const { rows } = await product.resources.database.pool.query(
      'select 1 from stripe_invoice where invoice_id = $1',
      [invoice?.id],
    );
    expect(rows).toEqual([]);
  });

  it('[SELL-726] stands in the reports by its name, and its sale leads back to the invoice', async () => {
    const ada = await product.signedUp();
    const invoiceId = await topUp(ada, { product: 'top-up-100' });
    await product.resources.creditExecutor.buy(purchaseOf(ada.userId, samples.slice(0, 2)));
    await caughtUp(product);
    const { items } = (await petra.get('/api/finance/reports/margin')).body;
    expect(
      items.filter(({ plan }: { plan: string }) => plan === 'top-up-100').at(-1)?.recognisedMicroUsd,
    ).toBe(2 * 209_900);
    const trace = (await petra.get(`/api/finance/trace/${invoiceId}`)).body;
    const invoice = trace.cards.find(({ kind }: { kind: string }) => kind === 'invoice');
    expect(JSON.stringify(invoice.facts)).toContain('Top-up, 100 credits');
  });
});

async function customerOf({ userId }: HttpClient): Promise<{ customerId: string }> {
  const { rows } = await product.resources.database.pool.query(
    'select customer_id as "customerId" from stripe_customer where user_id = $1',
    [userId],
  );
  return rows[0];
}
