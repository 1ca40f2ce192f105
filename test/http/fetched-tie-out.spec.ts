import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Materiality } from '../../application/ledger/materiality.js';
import { Posting } from '../../application/ledger/posting.js';
import { AlertQueries } from '../../application/ledger/queries.js';
import { SuspenseAlerts } from '../../application/ledger/renew-alerts.js';
import { FetchTieOut, ReportFetches } from '../../application/ledger/tie-outs/fetch-tie-out.js';
import { type BalanceGateway, ReportNotMade } from '../../application/payments/balance-gateway.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import type { HttpClient } from '../support/http-client.js';
import { pull, startWithStaff, subscribe } from '../support/money-back.js';
import { expectLog } from '../support/log.js';
import { caughtUp, type TestProduct } from '../support/product.js';

let product: TestProduct;
let pia: HttpClient;
let petra: HttpClient;

beforeAll(async () => {
  ({ product, pia, petra } = await startWithStaff());
});
afterAll(() => product?.stop());

const HOUR_MS = 3_600_000;
const get = <Service>(service: abstract new (...rest: never[]) => Service): Service =>
  product.app.get(service, { strict: false });
const sweep = () => get(BalanceTransactions).sweep();
/** Makes one step as a node with its own memory does. @param laterMs how far the clock of the node is ahead */
const step = (gateway: Partial<BalanceGateway> = {}, laterMs = 0) =>
  new FetchTieOut(
    Object.assign(Object.create(product.resources.balance) as BalanceGateway, gateway),
    get(ReportFetches),
    get(CommandBus),
    get(AlertQueries),
    get(Materiality),
    get(Posting),
    { now: () => new Date(product.resources.clock.now().getTime() + laterMs) },
  ).step();
const tieOuts = async () => (await petra.get('/api/finance/tie-outs')).body;
const alertsOf = async (kind: string) =>
  (await petra.get(`/api/finance/alerts?kind=${kind}`)).body.items.map(({ text }: { text: string }) => text);

it('[BOOK-800, BOOK-801] the report is fetched once a night by two nodes, and euros are compared in euros', async () => {
  await subscribe(product);
  await step();
  expect(await tieOuts()).toEqual({ items: [], fetch: null });
  await pull(product, 'movement', { type: 'topup', amountUsdCents: 1_479, currency: 'eur' });
  await sweep();
  await product.resources.stripeSimulator!.advance(2);
  await caughtUp(product);

  await Promise.all([step(), step()]);
  expect((await tieOuts()).fetch).toMatchObject({ isWaiting: true, comparedTo: null, problem: null });
  await Promise.all([step(), step()]);
  const { items, fetch } = await tieOuts();
  expect(items).toMatchObject([{ onlyAtStripe: 0, onlyInBooks: 0, doneBy: 'system:tie-out', matched: 2 }]);
  expect(fetch).toMatchObject({ isWaiting: false, comparedTo: items[0].to, problem: null });
  const night = Date.parse(fetch.nextAt) - product.resources.clock.now().getTime();
  expect([fetch.nextAt.slice(11), night > 0 && night <= 24 * HOUR_MS]).toEqual(['03:00:00.000Z', true]);
  await step();
  await step();
  expect((await tieOuts()).items).toHaveLength(1);
});

it('[BOOK-801] a euro that only one side has is listed in euros and hides in no sum of dollars', async () => {
  const csv = [
    'balance_transaction_id,created_utc,currency,gross,net,reporting_category',
    `txn_other,${new Date().toISOString()},eur,3.00,2.50,topup`,
    `txn_yen,${new Date().toISOString()},jpy,300,250,topup`,
  ].join('\n');
  const { status, body } = await petra.post('/api/finance/stripe-report', { csv });
  expect([status, body.onlyAtStripe]).toMatchObject([
    200,
    [
      { netMicroUsd: 0, foreign: { currency: 'eur', amountMicro: 2_500_000 } },
      { netMicroUsd: 0, foreign: { currency: 'jpy', amountMicro: 250_000_000 } },
    ],
  ]);
  const inBooks = body.onlyInBooks.filter(({ foreign }: { foreign?: object }) => foreign);
  expect(inBooks).toMatchObject([
    { amountMicroUsd: 0, foreign: { currency: 'eur', amountMicro: 14_790_000 } },
  ]);
  const kept = await petra.get(`/api/finance/tie-outs/${body.kept.id}`);
  expect(kept.body.open).toContainEqual(
    expect.objectContaining({ id: 'txn_yen', foreign: { currency: 'jpy', amountMicro: 250_000_000 } }),
  );
});

it('[BOOK-802] a Stripe that refuses, is silent or never finishes is said, and asked again an hour later', async () => {
  expectLog(
    /could not be fetched: Only live keys/,
    /could not be fetched: Stripe did not finish/,
    /could not be fetched: Stripe: StripeConnectionError/,
    /could not be fetched: There is no column/,
  );
  const later = 25 * HOUR_MS;
  const laterReport = {
    reportableUntil: async () => new Date(product.resources.clock.now().getTime() + later),
  };
  const problem = async () => (await tieOuts()).fetch;
  const refused = async () => {
    throw new ReportNotMade('Only live keys may do this.');
  };
  await step({ reportableUntil: refused }, later);
  expect(await problem()).toMatchObject({ isWaiting: false, problem: 'Only live keys may do this.' });
  let asked = 0;
  const requestReport = async () => [`frr_${(asked += 1)}`];
  await step({ ...laterReport, requestReport }, later);
  expect(asked).toBe(0);

  await step({ ...laterReport, requestReport }, later + HOUR_MS);
  await step({ readReport: async () => undefined }, later + 2 * HOUR_MS);
  expect(await problem()).toMatchObject({ isWaiting: true, problem: null });
  await step({ readReport: async () => undefined }, later + 3 * HOUR_MS);
  expect(await problem()).toMatchObject({
    isWaiting: false,
    problem: 'Stripe did not finish the report in two hours.',
  });

  await step({ ...laterReport, requestReport }, later + 4 * HOUR_MS);
  const silent = async () => {
    throw new PaymentGatewayUnavailable('Stripe: StripeConnectionError');
  };
  await step({ readReport: silent }, later + 4 * HOUR_MS);
  await step({ ...laterReport, requestReport }, later + 5 * HOUR_MS);
  await step({ readReport: async () => 'an answer that is no report' }, later + 5 * HOUR_MS);
  expect([asked, await problem()]).toMatchObject([
    3,
    { problem: 'There is no column balance_transaction_id.' },
  ]);

  // An old line that the books do not have raises one alert, until a report and the books agree.
  const line = 'txn_gone,2026-01-02 10:00:00,usd,4.00,4.00,topup';
  const header = 'balance_transaction_id,created_utc,currency,gross,net,reporting_category';
  await step({ ...laterReport, requestReport }, later + 6 * HOUR_MS);
  await step({ readReport: async () => `${header}\n${line}` }, later + 6 * HOUR_MS);
  expect(await alertsOf('tie-out')).toEqual(['Only at Stripe: topup of 4.00 USD on 2026-01-02, txn_gone.']);
});

it('[BOOK-803] findings below the amount of finance are listed and raise no alert', async () => {
  const materiality = '/api/finance/materiality';
  expect((await petra.get(materiality)).body).toEqual({ amountMicroUsd: 0, by: null, at: null });
  for (const amountMicroUsd of [-1, 1_000_000_001, 0.5])
    expect((await petra.put(materiality, { amountMicroUsd })).status).toBe(400);
  expect((await pia.put(materiality, { amountMicroUsd: 1 })).status).toBe(403);
  const set = await petra.put(materiality, { amountMicroUsd: 5_000_000 });
  expect([set.status, set.body]).toMatchObject([200, { amountMicroUsd: 5_000_000, by: petra.userId }]);

  await pull(product, 'top-up', { amountUsdCents: 499 });
  await pull(product, 'top-up', { amountUsdCents: 500 });
  await sweep();
  await get(Posting).allPosted();
  await get(SuspenseAlerts).run();
  const listed = (await petra.get('/api/finance/open-items')).body.items.map(
    ({ amountMicro }: { amountMicro: number }) => amountMicro,
  );
  expect(listed.toSorted((a: number, b: number) => a - b)).toEqual([4_990_000, 5_000_000, 14_790_000]);
  const suspenseAlerts = () => alertsOf('suspense');
  expect(await suspenseAlerts()).toHaveLength(2);
  expect((await suspenseAlerts()).join()).toMatch(/14\.79 EUR.*5\.00 USD|5\.00 USD.*14\.79 EUR/);

  await petra.put(materiality, { amountMicroUsd: 6_000_000 });
  await get(SuspenseAlerts).run();
  expect((await suspenseAlerts()).join()).toMatch(/^In suspense: 14\.79 EUR/);
  await petra.put(materiality, { amountMicroUsd: 0 });
  await get(SuspenseAlerts).run();
  expect(await suspenseAlerts()).toHaveLength(3);
});
