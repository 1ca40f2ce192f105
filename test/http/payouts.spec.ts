import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReturnPurchases } from '../../application/purchases/return-purchases.js';
import { PayoutSweep } from '../../application/payouts/payout-sweep.js';
import { BankPayouts } from '../../application/payments/record-bank-payout.js';
import { paidInvoice } from '../support/books.js';
import { parseCsv } from '../support/csv.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { allowLog } from '../support/log.js';
import { comesTo } from '../support/money-back.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { sellTo } from '../support/sales.js';
import { signedUpAs } from '../support/staff.js';
import { purchaseOf, stock } from '../support/stock.js';
import { onboard, sdkFor } from '../support/stripe.js';
import { LIMIT_MS, until, valueOnce } from '../support/until.js';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct();
});
afterAll(() => product?.stop());

const simulator = () => product.resources.stripeSimulator!;
const sell = (client: HttpClient) => sellTo(product, client);
const hook = (name: string, fields: object) =>
  fetch(`${simulator().url}/_test/${name}`, {
    method: 'POST',
    body: JSON.stringify(fields),
    headers: { 'content-type': 'application/json' },
  });

async function creator(): Promise<HttpClient> {
  const client = await product.signedUp();
  expect((await client.post('/api/creator/application')).status).toBe(201);
  return client;
}
const connect = (client: HttpClient, body: object = {}) =>
  client.post('/api/stripe/connect/create-account', {
    userId: client.userId,
    email: client.email,
    country: 'US',
    ...body,
  });
const status = (client: HttpClient, userId = client.userId) =>
  client.get(`/api/stripe/connect/status/${userId}`);
async function verified(): Promise<HttpClient> {
  const client = await creator();
  await onboard((await connect(client)).body.url, 'completed');
  return client;
}
const withdraw = (client: HttpClient, amountUsdCents?: number, key?: string) =>
  client.post('/api/creator/withdrawals', amountUsdCents === undefined ? {} : { amountUsdCents }, keyed(key));
async function settled(client: HttpClient, id: string): Promise<{ status: string; transferId: string }> {
  const payout = async () => {
    const { items } = (await client.get('/api/creator/statements')).body;
    return items.find((one: { id: string }) => one.id === id);
  };
  return valueOnce(payout, (found) => found?.settledAt);
}
const transfersTo = async (client: HttpClient) => {
  const { accountId } = (await status(client)).body;
  return (await sdkFor(simulator()).transfers.list({ destination: accountId })).data;
};

describe('the calendar', () => {
  it('[FIN-40] is the simulator’s for all that the business dates: a sale after days were skipped is held like any other', async () => {
    const client = await verified();
    await simulator().advance(120);
    const began = simulator().now().getTime();
    await sell(client);
    const { eventStore, logSubscriptions } = product.resources;
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
    expect((await client.get('/api/creator/balance')).body).toMatchObject({
      availableMicroUsd: 0,
      heldMicroUsd: 11_993_998,
    });
    const { pool } = product.resources.database;
    const { rows } = await pool.query(
      `select type, recorded_at from event where type in ('SamplePurchased', 'CreditsGranted', 'SubscriptionStarted') and recorded_at >= $1`,
      [new Date(began)],
    );
    expect(new Set(rows.map(({ type }) => type))).toEqual(
      new Set(['SamplePurchased', 'CreditsGranted', 'SubscriptionStarted']),
    );
    await simulator().advance(13.9);
    expect((await client.get('/api/creator/balance')).body.availableMicroUsd).toBe(0);
    await simulator().advance(0.2);
    expect((await client.get('/api/creator/balance')).body.availableMicroUsd).toBe(11_993_998);
    const statement = await client.post('/api/creator/withdrawals', {}, keyed());
    expect(Date.parse(statement.body.requestedAt)).toBeGreaterThanOrEqual(began + 14 * 86_400_000);
    // Sessions use the wall clock, so the skipped days ended none.
    expect((await client.get('/api/auth/session')).body.user).toMatchObject({ id: client.userId });
  });
});

describe('connecting an account', () => {
  it('[AUTH-19] needs a sign-in of the last ten minutes: it decides where the money goes', async () => {
    const client = await creator();
    await product.resources.database.pool.query(
      `update session set authenticated_at = now() - interval '11 minutes' where user_id = $1`,
      [client.userId],
    );
    expect(await connect(client)).toMatchObject({
      status: 403,
      body: { code: 'FreshSignInRequired', methods: ['password'], error: expect.any(String) },
    });
    expect((await client.post('/api/auth/confirm', { password: 'a fine pass phrase' })).status).toBe(204);
    expect((await connect(client)).status).toBe(200);
  });

  it('[API-04] answers the address of the onboarding page, for the same account each time', async () => {
    const client = await creator();
    const first = await connect(client);
    expect(first).toMatchObject({
      status: 200,
      body: { url: expect.stringContaining(`${simulator().url}/setup/s/`) },
    });
    const { accountId } = (await status(client)).body;
    expect((await connect(client)).body.url).toContain(accountId);
    const racing = await creator();
    const urls = await Promise.all([connect(racing), connect(racing)]);
    expect(new Set(urls.map(({ body }) => body.url.split('/')[5])).size).toBe(1);
  });

  it('[API-04] is for oneself, for creators, and for countries in which Stripe pays; errors carry `error`', async () => {
    const [client, other] = [await creator(), await creator()];
    const error = expect.any(String);
    expect(await connect(client, { userId: other.userId })).toMatchObject({ status: 403, body: { error } });
    expect(await connect(client, { country: 'Germany' })).toMatchObject({ status: 400, body: { error } });
    expect(await connect(client, { country: 'XX' })).toMatchObject({
      status: 422,
      body: { code: 'CountryNotSupported', error },
    });
    const { body } = await client.get('/api/stripe/connect/countries');
    expect(body).toMatchObject({ home: 'US', items: expect.arrayContaining(['DE', 'US']) });
    expect(await connect(client, { country: 'DE' })).toMatchObject({ status: 200 });
    expect((await status(client)).body).toMatchObject({ connected: true, country: 'DE' });
    expect(await connect(await product.signedUp())).toMatchObject({
      status: 403,
      body: { code: 'CreatorAccessRequired', error },
    });
    expect(await connect(product.browser())).toMatchObject({ status: 401, body: { error } });
  });

  it('[API-05, OPS-05] the status follows the onboarding page', async () => {
    const client = await creator();
    expect(await status(client)).toMatchObject({
      status: 200,
      body: {
        connected: false,
        payoutsEnabled: false,
        chargesEnabled: false,
        accountId: null,
        requirements: [],
      },
    });
    await onboard((await connect(client)).body.url, 'incomplete');
    const begun = (await status(client)).body;
    expect(begun).toMatchObject({ connected: true, payoutsEnabled: false, chargesEnabled: false });
    expect(begun.requirements).toContain('external_account');
    expect(begun.needs).toContainEqual({
      text: 'A bank account for your payouts',
      late: false,
      problem: null,
    });
    const back = await onboard((await connect(client)).body.url, 'completed');
    expect(back.headers.get('location')).toBe(`${product.url}/dashboard?stripe_onboarding=success`);
    expect((await status(client)).body).toMatchObject({
      connected: true,
      payoutsEnabled: true,
      chargesEnabled: true,
      accountId: begun.accountId,
      requirements: [],
    });
  });

  it('[API-05] nobody sees another’s', async () => {
    const [client, other] = [await creator(), await creator()];
    expect((await status(client, other.userId)).status).toBe(403);
    expect((await status(product.browser(), other.userId)).status).toBe(401);
  });
});

describe('withdrawing', () => {
  it('[PAY-03, PAY-07, PAY-09] holds a share 14 days, then pays it once, with a statement that sums', async () => {
    const client = await creator();
    await sell(client);
    expect(await withdraw(client)).toMatchObject({ status: 422, body: { code: 'PayoutsNotEnabled' } });
    await onboard((await connect(client)).body.url, 'completed');
    expect(await withdraw(client)).toMatchObject({
      status: 422,
      body: { code: 'InsufficientEarnings', availableMicroUsd: 0 },
    });
    expect((await client.get('/api/creator/balance')).body).toMatchObject({
      totalEarningsMicroUsd: 11_993_998,
      availableMicroUsd: 0,
      heldMicroUsd: 11_993_998,
      heldUntil: expect.any(String),
      paidUsdCents: 0,
    });
    await simulator().advance(13.9);
    expect((await withdraw(client)).body.code).toBe('InsufficientEarnings');
    await simulator().advance(0.2);
    expect(await withdraw(client, 999)).toMatchObject({
      status: 422,
      body: { code: 'WithdrawalTooSmall', minimumUsdCents: 1_000 },
    });
    expect((await withdraw(client, 1_200)).body.code).toBe('InsufficientEarnings');
    expect((await withdraw(client, 1_050.5)).status).toBe(400);

    const key = randomUUID();
    const answer = await withdraw(client, 1_100, key);
    expect(answer).toMatchObject({ status: 201, body: { amountUsdCents: 1_100, status: 'requested' } });
    const repeated = await withdraw(client, 1_100, key);
    expect(repeated.body).toEqual(answer.body);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect((await withdraw(client, 1_100)).status).toBeGreaterThanOrEqual(409);

    const payout = await settled(client, answer.body.id);
    expect(payout.status).toBe('paid');
    const transfers = await transfersTo(client);
    expect(transfers).toMatchObject([{ id: payout.transferId, amount: 1_100, reversed: false }]);

    const statement = (await client.get(`/api/creator/statements/${answer.body.id}`)).body;
    expect(statement.amountMicroUsd).toBe(11_000_000);
    const amounts: number[] = statement.lines.map((line: { amountMicroUsd: number }) => line.amountMicroUsd);
    expect(amounts).toEqual([3_997_999, 3_997_999, 3_004_002]);
    expect((await client.get('/api/creator/balance')).body).toMatchObject({
      availableMicroUsd: 993_998,
      paidUsdCents: 1_100,
      heldUntil: null,
      inFlight: null,
    });
  });

  it('[PAY-09] statements are the creator’s own, as CSV too', async () => {
    const client = await verified();
    await sell(client);
    await simulator().advance(15);
    const { id } = (await withdraw(client)).body;
    await settled(client, id);
    const csv = await client.get(`/api/creator/statements/${id}.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...lines] = (csv.body as string).trim().split('\r\n');
    expect(header).toBe(
      'payout,kind,sold_at,purchase,sample,title,pack,credits,country,share_usd,paid_usd,deducted_usd,reversed_payout,reversal',
    );
    const sum = lines.reduce((total, line) => total + Math.round(Number(line.split(',')[10]) * 1e6), 0);
    expect(sum).toBe(11_990_000);
    expect((await client.get('/api/creator/statements.csv')).body).toMatch(
      new RegExp(`${id},\\S+,\\S+,paid,11\\.99,0\\.00,tr_`),
    );
    const other = await verified();
    expect((await other.get(`/api/creator/statements/${id}`)).status).toBe(404);
    expect((await other.get(`/api/creator/statements/${id}.csv`)).status).toBe(404);
    expect((await other.get('/api/creator/statements')).body.items).toEqual([]);
    expect((await product.browser().get(`/api/creator/statements/${id}`)).status).toBe(401);
  });

  it('[PAY-450] all sales as CSV name the country where their credits were taxed, of credits that came back too, or else the country of the payer', async () => {
    const [client, listener] = [await verified(), await product.signedUp()];
    await sell(client);
    const { creditExecutor, database, eventStore, logSubscriptions } = product.resources;
    const taxed = { place: 'US-NY', taxableMicroUsd: 9_990_000, percentage: 8.875, reason: 'standard_rated' };
    await creditExecutor.grantInvoice(paidInvoice(listener.userId, { taxed }), { correlationId: 'test' });
    const prefix = `c${randomUUID().slice(0, 8)}-`;
    const ids = await stock(database, 2, { creatorId: client.userId, priceCredits: 50, prefix });
    const buy = async (id: string) => {
      const order = purchaseOf(listener.userId, [id], { expectedCredits: 50 });
      expect((await creditExecutor.buy(order)).outcome.status).toBe('bought');
    };
    await buy(ids[0]!);
    await product.app
      .get(ReturnPurchases, { strict: false })
      .all(
        { sampleId: ids[0]! },
        { reason: 'takedown', explanation: 'A copy' },
        { actor: 'test', correlationId: 'test' },
      );
    await buy(ids[1]!);
    const untaxed = await product.signedUp();
    await creditExecutor.grantInvoice(paidInvoice(untaxed.userId, { country: 'FR' }), {
      correlationId: 'test',
    });
    const order = purchaseOf(untaxed.userId, [ids[1]!], { expectedCredits: 50 });
    expect((await creditExecutor.buy(order)).outcome.status).toBe('bought');
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
    const csv = await client.get('/api/creator/sales.csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...rows] = parseCsv(csv.body as string);
    expect(header?.join()).toBe('sold_at,purchase,sample,title,pack,credits,country,share_usd,held_until');
    // The other buyers paid without tax and without an address.
    expect(rows.map((cells) => cells.slice(2, 7).join())).toEqual([
      `${ids[1]},${ids[1]},Pack,50,FR`,
      `${ids[1]},${ids[1]},Pack,50,US`,
      ...Array.from({ length: 3 }, () => expect.stringMatching(/,Pack,50,$/)),
    ]);
    expect((await client.get('/api/creator/sales')).body.items).toMatchObject([
      { country: 'FR' },
      { country: 'US' },
      {},
      {},
      {},
    ]);
    await simulator().advance(15);
    const { id } = (await withdraw(client)).body;
    const statement = await client.get(`/api/creator/statements/${id}.csv`);
    const paid = parseCsv(statement.body as string).filter(([, kind]) => kind === 'sale');
    expect(paid.map((cells) => cells[8])).toEqual(['', '', '', 'US', 'US', 'FR']);
    expect(parseCsv((await (await verified()).get('/api/creator/sales.csv')).body as string)).toHaveLength(1);
    expect((await product.browser().get('/api/creator/sales.csv')).status).toBe(401);
  });

  it('[PAY-03] two clicks at once move the money of one', async () => {
    const client = await verified();
    await sell(client);
    await sell(client);
    await simulator().advance(15);
    const answers = await Promise.all([1, 2, 3, 4].map(() => withdraw(client, 1_000)));
    const accepted = answers.filter(({ status: code }) => code === 201);
    await settled(client, accepted[0]?.body.id);
    const transfers = await transfersTo(client);
    expect(transfers.length).toBe(accepted.length);
    // The account earned 23.98 USD: at most two withdrawals fit, the second only after the first has arrived.
    expect(accepted.length).toBeLessThanOrEqual(2);
  });

  it('[FIN-13] a transfer whose answer is lost again and again is made once', async () => {
    const client = await verified();
    await sell(client);
    await simulator().advance(15);
    allowLog(/^warn \[LogSubscriptions\] payouts failed .* Stripe: StripeConnectionError$/);
    await hook('fail-next-transfer', { how: 'lost-after', times: 5 });
    const { id } = (await withdraw(client)).body;
    expect((await settled(client, id)).status).toBe('paid');
    expect(await transfersTo(client)).toHaveLength(1);
  });

  it('[FIN-12, PAY-503, PAY-504] a refused transfer fails and gives the amount back; a reversed one too', async () => {
    const client = await verified();
    await sell(client);
    await simulator().advance(15);
    await hook('fail-next-transfer', { how: 'insufficient' });
    const failed = (await withdraw(client)).body;
    expect(await settled(client, failed.id)).toMatchObject({ status: 'failed', transferId: null });
    expect((await client.get(`/api/creator/statements/${failed.id}`)).status).toBe(404);
    const again = (await withdraw(client, 1_000)).body;
    const { transferId } = await settled(client, again.id);
    expect((await client.get('/api/creator/balance')).body.availableMicroUsd).toBe(1_993_998);
    await hook('reverse-transfer', { transfer: transferId });
    await comesTo(async () => (await client.get('/api/creator/balance')).body.availableMicroUsd, 11_993_998);
    expect((await client.get('/api/creator/statements')).body.items[0]).toMatchObject({
      id: again.id,
      status: 'reversed',
      reversedUsdCents: 1_000,
    });
    // The statement stays as issued.
    expect((await client.get(`/api/creator/statements/${again.id}`)).body).toMatchObject({
      status: 'reversed',
      amountMicroUsd: 10_000_000,
      lines: [{ kind: 'sale' }, { kind: 'sale' }, { kind: 'sale' }],
    });
    expect((await client.get('/api/creator/statements.csv')).body).toMatch(
      new RegExp(`${again.id},\\S+,\\S+,reversed,10\\.00,10\\.00,tr_`),
    );
    const { eventStore, logSubscriptions, database } = product.resources;
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
    const posted = await database.pool.query(
      `select fact, sum(delta)::int as delta from journal_line
        where account = $1 and fact <> 'share-earned' group by fact order by fact`,
      [`creator:${client.userId}`],
    );
    // Debits are positive. The withdrawn amount left the creator's account and came back, twice.
    expect(posted.rows).toEqual([
      { fact: 'transfer-reversed', delta: -10_000_000 },
      { fact: 'withdrawal-failed', delta: -11_990_000 },
      { fact: 'withdrawal-requested', delta: 21_990_000 },
    ]);
    const inTransit = await database.pool.query(
      `select coalesce(sum(delta), 0)::int as delta from journal_line where account = 'payouts-in-transit'`,
    );
    expect(inTransit.rows).toEqual([{ delta: 0 }]);
  });
});

it('[FIN-12, OPS-05] our own money is followed from Stripe to the bank', async () => {
  await hook('top-up', { amountUsdCents: 5_000 });
  const stripe = sdkFor(simulator());
  const { id } = await stripe.payouts.create({ amount: 5_000, currency: 'usd' });
  await simulator().advance(3);
  const { database } = product.resources;
  const posted = async () =>
    (
      await database.pool.query(
        `select l.fact, l.account, l.delta from journal_line l join event e using (position)
          where e.stream = $1 order by l.position, l.line`,
        [`bank-${id}`],
      )
    ).rows as { fact: string; account: string; delta: number }[];
  await until(async () => (await posted()).length >= 4);
  expect(await posted()).toEqual([
    { fact: 'bank-payout-sent', account: 'bank:in-transit', delta: 50_000_000 },
    { fact: 'bank-payout-sent', account: 'stripe:balance', delta: -50_000_000 },
    { fact: 'bank-payout-arrived', account: 'bank', delta: 50_000_000 },
    { fact: 'bank-payout-arrived', account: 'bank:in-transit', delta: -50_000_000 },
  ]);
});

it('[FIN-12, FIN-13, FIN-73, SALE-752] a reversal and a bank payout without a webhook are found by the sweeps, once, and the payout by what stayed paid', async () => {
  const client = await verified();
  await sell(client);
  await simulator().advance(15);
  const { id } = (await withdraw(client)).body;
  const { transferId } = await settled(client, id);
  const stripe = sdkFor(simulator());
  await hook('drop-webhooks', { times: 2 });
  await hook('reverse-transfer', { transfer: transferId, amountUsdCents: 199 });
  const bank = await stripe.payouts.create({ amount: 300, currency: 'usd' });
  const sweeps = [
    () => product.app.get(PayoutSweep, { strict: false }).run(),
    () => product.app.get(BankPayouts, { strict: false }).sweep(),
  ];
  for (const sweep of [...sweeps, ...sweeps]) await sweep();
  expect((await client.get('/api/creator/statements')).body.items[0]).toMatchObject({
    id,
    status: 'partly_reversed',
    reversedUsdCents: 199,
  });
  const events = await product.resources.eventStore.readStream(`bank-${bank.id}`);
  expect(events.map(({ type }) => type)).toEqual(['BankPayoutSent']);

  const petra = await signedUpAs(product, 'finance');
  const [{ amountMicroUsd }] = (await petra.get(`/api/finance/trace/${id}`)).body.cards;
  const found = await petra.get(`/api/finance/find?q=${amountMicroUsd / 1e6}`);
  expect(found.body.items.filter((item: { id: string }) => item.id === id)).toMatchObject([
    { kind: 'withdrawal', amountMicroUsd },
  ]);

  // [SALE-752] The trace above waited for the books, which the monthly statements sum up.
  const { items } = (await client.get('/api/creator/monthly-statements')).body;
  let closing = 0;
  for (const month of items.toReversed()) {
    expect(month.openingMicroUsd).toBe(closing);
    const moved = month.earnedMicroUsd - month.takenBackMicroUsd - month.withdrawnMicroUsd;
    closing += moved + month.writtenOffMicroUsd;
    expect(month.closingMicroUsd).toBe(closing);
  }
  const { availableMicroUsd, heldMicroUsd } = (await client.get('/api/creator/balance')).body;
  expect([closing, closing > 0]).toEqual([availableMicroUsd + heldMicroUsd, true]);
  const csv = (await client.get('/api/creator/monthly-statements.csv')).body.split('\r\n');
  expect(csv).toHaveLength(items.length + 2);
  expect(csv[1]).toContain(`,${(closing / 1e6).toFixed(6)}`);
});
