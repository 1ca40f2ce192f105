import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RetryFact } from '../../application/ledger/alert-commands.js';
import { setAside as setAsideFact } from '../../application/alerts/set-aside.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import {
  BalanceTransactions,
  RecordedMovements,
  RecordMovementHandler,
} from '../../application/payments/balance-transactions.js';
import { SuspenseAlerts } from '../../application/ledger/renew-alerts.js';
import { BankPayouts } from '../../application/payments/record-bank-payout.js';
import { PaymentSweep } from '../../application/subscriptions/follow-subscription.js';
import { Streams } from '../../application/shared/streams.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import {
  balance,
  bookOf,
  pull,
  refundBy,
  startWithStaff,
  subscribe,
  comesTo,
} from '../support/money-back.js';
import type { TestProduct } from '../support/product.js';
import { press, sdkFor } from '../support/stripe.js';
import { busTo } from '../support/command-bus.js';

let product: TestProduct;
let pia: HttpClient;
let petra: HttpClient;

beforeAll(async () => {
  ({ product, pia, petra } = await startWithStaff());
});
afterAll(() => product?.stop());

const simulator = () => product.resources.stripeSimulator!;
const hook = (name: string, fields?: object) => pull(product, name, fields);
const book = (account: string) => bookOf(petra, account);
const subscriber = () => subscribe(product);
const refund = (invoiceId: string) => refundBy(pia, invoiceId);
/** @param laterMs how far the server's clock is ahead */
const sweep = (laterMs = 0) => {
  const { balance, eventStore } = product.resources;
  const recorded = product.app.get(RecordedMovements, { strict: false });
  const ahead = { now: () => new Date(Date.now() + laterMs) };
  return new BalanceTransactions(
    balance,
    eventStore,
    busTo((bus) => new RecordMovementHandler(new Streams(eventStore), bus)),
    recorded,
    ahead,
  ).sweep();
};
/** Returns the items in suspense about a subject, as finance sees them. */
const inSuspense = async (about: string) =>
  (await petra.get('/api/finance/open-items')).body.items
    .filter((item: { about: string; account: string }) => item.about === about && item.account === 'suspense')
    .map((item: { amountMicroUsd: number; reason: string }) => [item.amountMicroUsd, item.reason]);
const broken = async () => {
  const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
  return invariants.filter(({ holds }) => !holds);
};
/** Returns the number of undelivered webhooks of a kind. */
const untaken = async (type: string): Promise<number> =>
  (await sdkFor(simulator()).events.list({ type, limit: 100 })).data.reduce(
    (sum, event) => sum + event.pending_webhooks,
    0,
  );

it('[FIN-34] a dispute after a refund that failed is held, decided and taken by the webhook', async () => {
  const { ada, invoiceId } = await subscriber();
  expect((await refund(invoiceId)).status).toBe(201);
  const sdk = sdkFor(simulator());
  const [made] = (await sdk.refunds.list({ limit: 1 })).data;
  const owed = await book('owed-to-customers');
  await hook('fail-refund', { refund: made?.id });
  await comesTo(() => book('owed-to-customers'), owed - 9_990_000);
  const [held, loss] = [await book('disputes:held'), await book('chargeback-loss')];
  const dispute = await hook('dispute', { invoice: invoiceId });
  await comesTo(() => book('disputes:held'), held + 9_990_000);
  await hook('close-dispute', { dispute: dispute.id, outcome: 'lost' });
  await comesTo(() => book('chargeback-loss'), loss + 9_990_000);
  expect(await book('disputes:held')).toBe(held);
  expect(await balance(ada)).toBe(0);
  await comesTo(() => untaken('charge.dispute.created'), 0);
  await comesTo(() => untaken('charge.dispute.closed'), 0);
  const [item] = (await petra.get('/api/finance/open-items')).body.items;
  expect(item).toMatchObject({
    account: 'owed-to-customers',
    amountMicroUsd: 9_990_000,
    reason: 'a refund that failed: the card was lost or stolen',
  });
  expect(await broken()).toEqual([]);
});

it('[FIN-34] a dispute of more than is left is held as far as it goes, the rest in suspense until it is won', async () => {
  const { ada, invoiceId } = await subscriber();
  const [cash, held] = [await book('stripe:balance'), await book('disputes:held')];
  const dispute = await hook('dispute', { invoice: invoiceId, amountUsdCents: 1_500 });
  await comesTo(() => book('disputes:held'), held + 9_990_000);
  expect(await inSuspense(dispute.id)).toEqual([[-5_010_000, 'more than is left of the payment']]);
  expect(await book('stripe:balance')).toBe(cash - 30_000_000);
  expect(await balance(ada)).toBe(0);
  await sweep();
  expect(await broken()).toEqual([]);
  await hook('close-dispute', { dispute: dispute.id, outcome: 'won' });
  await comesTo(() => balance(ada), 50);
  expect(await inSuspense(dispute.id)).toEqual([]);
  expect(await book('stripe:balance')).toBe(cash - 15_000_000);
  expect(await broken()).toEqual([]);
});

it('[FIN-34] a dispute about what went back already is all in suspense, won or lost', async () => {
  for (const outcome of ['won', 'lost']) {
    const { ada, invoiceId } = await subscriber();
    const { charge } = await hook('refund', { invoice: invoiceId });
    await comesTo(() => balance(ada), 0);
    const dispute = await hook('dispute', { charge, amountUsdCents: 999 });
    const rest = [[-9_990_000, 'more than is left of the payment']];
    await comesTo(() => inSuspense(dispute.id), rest);
    await hook('close-dispute', { dispute: dispute.id, outcome });
    await comesTo(() => untaken('charge.dispute.closed'), 0);
    await comesTo(() => inSuspense(dispute.id), outcome === 'won' ? [] : rest);
    await sweep();
    expect(await broken()).toEqual([]);
  }
});

it('[FIN-57] a bank that asks first is told of and takes nothing; under the same id it freezes later', async () => {
  const { ada, invoiceId } = await subscriber();
  const held = await book('disputes:held');
  const inquiry = await hook('inquire', { invoice: invoiceId });
  const told = async () =>
    (await petra.get('/api/finance/alerts')).body.items
      .filter(({ item }: { item: string }) => item === inquiry.id)
      .map(({ text }: { text: string }) => text);
  await comesTo(() => untaken('charge.dispute.created'), 0);
  expect(await told()).toEqual([
    expect.stringMatching(
      new RegExp(
        `^A bank inquires about 9.99 USD of invoice ${invoiceId} \\(fraudulent\\). No money was taken. Answer at the payment provider by 20`,
      ),
    ),
  ]);
  expect([await balance(ada), await book('disputes:held')]).toEqual([50, held]);
  await hook('escalate', { dispute: inquiry.id });
  await comesTo(() => balance(ada), 0);
  expect(await book('disputes:held')).toBe(held + 9_990_000);
  expect(await told()).toEqual([]);
  await hook('close-dispute', { dispute: inquiry.id, outcome: 'won' });
  await comesTo(() => balance(ada), 50);
  const second = await hook('inquire', { invoice: invoiceId });
  await hook('close-dispute', { dispute: second.id, outcome: 'warning_closed' });
  await comesTo(() => untaken('charge.dispute.closed'), 0);
  expect([await balance(ada), await told()]).toEqual([50, []]);
  await sweep();
  expect(await broken()).toEqual([]);
});

it('[FIN-57] what a bank takes later, gives back in part, and loses in an appeal is in the books as it moved', async () => {
  const { ada, invoiceId } = await subscriber();
  const [cash, held, fees] = [
    await book('stripe:balance'),
    await book('disputes:held'),
    await book('dispute-fees'),
  ];
  const dispute = await hook('dispute', { invoice: invoiceId, amountUsdCents: 500 });
  await comesTo(() => book('disputes:held'), held + 5_000_000);
  await hook('adjust-dispute', { dispute: dispute.id, amountUsdCents: 300, feeUsdCents: 1_500 });
  await comesTo(() => book('disputes:held'), held + 8_000_000);
  await hook('adjust-dispute', { dispute: dispute.id, amountUsdCents: -100 });
  await comesTo(() => book('disputes:held'), held + 7_000_000);
  expect(await book('dispute-fees')).toBe(fees + 30_000_000);
  await sweep();
  expect(await book('stripe:balance')).toBe(cash - 37_000_000);
  await hook('close-dispute', { dispute: dispute.id, outcome: 'lost' });
  await comesTo(() => book('disputes:held'), held);
  expect(await balance(ada)).toBe(0);
  const loss = await book('chargeback-loss');
  await hook('close-dispute', { dispute: dispute.id, outcome: 'won' });
  await comesTo(() => book('chargeback-loss'), loss - 7_000_000);
  expect([await book('stripe:balance'), await balance(ada)]).toEqual([cash - 30_000_000, 0]);
  await sweep();
  await book('suspense');
  await sweep(2 * 3_600_000);
  expect(await inSuspense(dispute.id)).toEqual([]);
  expect(await broken()).toEqual([]);
  const old = `update cash_fact set at = at + $1::interval; `;
  const { pool } = product.resources.database;
  await pool.query(old, ['-20 days']);
  // Rule 18 detects that the rows were aged by hand.
  expect((await broken()).filter(({ number }) => number !== 18)).toEqual([]);
  await pool.query(old, ['20 days']);
});

it('[FIN-58] a payment that fails later takes the credits that are left, and sends no receipt for a refund', async () => {
  const { ada, invoiceId } = await subscriber();
  const cash = await book('stripe:balance');
  await hook('fail-payment', { invoice: invoiceId });
  await comesTo(() => balance(ada), 0);
  expect(await book('stripe:balance')).toBe(cash - 9_990_000);
  await sweep();
  await book('suspense');
  await sweep(2 * 3_600_000);
  expect(await book('stripe:balance')).toBe(cash - 9_990_000);
  expect(await broken()).toEqual([]);
});

it('[FIN-34] an invoice paid partly from the customer’s balance brings the cash that came, all its credits, and no more back', async () => {
  const { ada, customerId } = await subscriber();
  await sdkFor(simulator()).customers.update(customerId, { balance: -500 });
  const cash = await book('stripe:balance');
  const changed = await ada.post('/api/subscription/change', { plan: 'premium' }, keyed());
  expect(changed.status).toBe(200);
  await comesTo(() => balance(ada), 150);
  await sweep();
  // 15.99 less 5.00, and its fee of 62 cents.
  expect(await book('stripe:balance')).toBe(cash + 10_990_000 - 620_000);
  const { items } = (await pia.get(`/api/admin/people/${ada.userId}/invoices`)).body;
  const { invoiceId } = items.find((each: { credits: number }) => each.credits === 100);
  expect(await inSuspense(invoiceId)).toEqual([
    [-5_000_000, 'the lines and the payment differ: customer balance or proration'],
  ]);
  expect(await broken()).toEqual([]);
  expect((await refund(invoiceId)).body).toMatchObject({ status: 'refunded', amountUsdCents: 1_099 });
  expect(await balance(ada)).toBe(50);
  expect(await broken()).toEqual([]);
});

it('[FIN-34] an invoice paid from the customer’s balance alone brings credits and no cash', async () => {
  const { ada, customerId } = await subscriber();
  await sdkFor(simulator()).customers.update(customerId, { balance: -5_000 });
  const cash = await book('stripe:balance');
  expect((await ada.post('/api/subscription/change', { plan: 'premium' }, keyed())).status).toBe(200);
  await comesTo(() => balance(ada), 150);
  expect(await book('stripe:balance')).toBe(cash);
  await sweep();
  expect(await broken()).toEqual([]);
});

it('[FIN-34, FIN-36, FIN-70] an invoice of a proration alone grants nothing, and its payment is in suspense with its fee booked', async () => {
  const { ada, subscriptionId } = await subscriber();
  const [cash, fees] = [await book('stripe:balance'), await book('stripe-fees')];
  await hook('prorate', { subscription: subscriptionId, amountUsdCents: 300 });
  await comesTo(() => untaken('invoice.paid'), 0);
  await sweep();
  await book('suspense');
  // The books are posted now, so the sweep sees that no credits came for it.
  await sweep();
  expect(await balance(ada)).toBe(50);
  expect(await book('stripe:balance')).toBe(cash + 3_000_000 - 390_000);
  expect(await book('stripe-fees')).toBe(fees + 390_000);
  const charge = (await sdkFor(simulator()).charges.list({ limit: 1 })).data[0]?.id as string;
  expect(await inSuspense(charge)).toEqual([[3_000_000, 'a payment for no plan']]);
  // The invoice's id, which only the movement names, leads to the movement.
  const { invoice } = (
    await product.resources.database.pool.query(
      `select data->>'about' as invoice from event where type = 'BalanceTransactionRecorded' and data->>'source' = $1`,
      [charge],
    )
  ).rows[0];
  expect((await petra.get(`/api/finance/trace/${invoice}`)).body.selected).toMatch(/^movement:txn_/);
  // Stripe keeps what the customer is owed, and uses it for the next invoice.
  await hook('prorate', { subscription: subscriptionId, amountUsdCents: -200 });
  await comesTo(() => untaken('invoice.paid'), 0);
  expect(await broken()).toEqual([]);
  // After a refund, the item is closed once it is certain that no sale of ours is behind it.
  await hook('refund', { charge });
  await sweep();
  await book('suspense');
  await sweep(2 * 3_600_000);
  expect(await inSuspense(charge)).toEqual([]);
  expect(await book('stripe:balance')).toBe(cash - 390_000);
  expect(await broken()).toEqual([]);
});

it('[FIN-50] an invoice paid in another currency grants nothing, and keeps no other waiting', async () => {
  const { ada, subscriptionId } = await subscriber();
  await hook('bill', { subscription: subscriptionId, currency: 'eur' });
  await comesTo(() => untaken('invoice.paid'), 0);
  const bo = await product.signedUp();
  const path = `/api/stripe/create-checkout-session?plan=starter&userId=${bo.userId}`;
  const { url } = (await bo.post(path, { plan: 'starter' })).body;
  await hook('drop-webhooks', { times: 100 });
  await press(url, { outcome: 'paid' });
  await hook('drop-webhooks', { times: 0 });
  expect(await product.app.get(PaymentSweep, { strict: false }).run()).toMatchObject({ settled: 1 });
  expect(await Promise.all([balance(ada), balance(bo)])).toEqual([50, 50]);
  // The money is ours, and a person must find out why.
  await sweep();
  await book('suspense');
  await sweep(2 * 3_600_000);
  const charges = await sdkFor(simulator()).charges.list({ limit: 100 });
  const [charge] = charges.data.filter(({ currency }) => currency === 'eur');
  expect(await inSuspense(charge?.id ?? '')).toEqual([[9_990_000, 'a payment for no plan']]);
  expect(await broken()).toEqual([]);
});

it('[FIN-36] whatever moves at Stripe lands in an account: top-ups, taxes, reserves and what nobody knows', async () => {
  const fees = await book('stripe-fees');
  const moved = [
    ['topup', 100_000],
    ['topup_reversal', -500],
    ['payment_reversal', -1_599],
    ['connect_collection_transfer', 40],
    ['something_new', -3],
  ] as const;
  for (const [type, amountUsdCents] of moved) await hook('movement', { type, amountUsdCents });
  await hook('movement', { type: 'reserve_hold', amountUsdCents: -700 });
  await hook('movement', { type: 'tax_fee', amountUsdCents: -25 });
  await sweep();
  const items = (await petra.get('/api/finance/open-items')).body.items as {
    account: string;
    reason: string;
    amountMicroUsd: number;
  }[];
  for (const [type, cents] of moved)
    expect(items.find(({ reason }) => reason.endsWith(`: ${type}`))?.amountMicroUsd).toBe(cents * 10_000);
  expect(items.find(({ account }) => account === 'stripe:reserve')?.amountMicroUsd).toBe(7_000_000);
  expect(await book('stripe-fees')).toBe(fees + 250_000);
  const stripe = await sdkFor(simulator()).balance.retrieve();
  const total = [...stripe.available, ...stripe.pending].reduce((sum, { amount }) => sum + amount, 0);
  expect(await book('stripe:balance')).toBe(total * 10_000);
  expect(await broken()).toEqual([]);
});

it('[FIN-36, FIN-93] rule 14 names what was recorded before and is in no account, until the sweep has it', async () => {
  const { eventStore, database } = product.resources;
  await hook('movement', { type: 'topup', amountUsdCents: 77 });
  const id = (await sdkFor(simulator()).balanceTransactions.list({ limit: 1 })).data[0]?.id as string;
  // An event of an earlier version, without suspense.
  const old = {
    transactionId: id,
    kind: 'other',
    grossMicroUsd: 770_000,
    feeMicroUsd: 0,
    at: new Date(Date.now() - 3_600_000).toISOString(),
  };
  const events = [{ type: 'BalanceTransactionRecorded', data: old }];
  const metadata = { actor: 'system:test', correlationId: id };
  await eventStore.append([{ stream: `balance-${id}`, expectedVersion: 0, events }], metadata);
  await book('suspense');
  const { pool } = database;
  const age = (days: number) =>
    pool.query(
      `update balance_transaction set recorded_at = recorded_at - make_interval(days => $2) where transaction_id = $1`,
      [id, days],
    );
  await age(1);
  const rule = async () => (await broken()).find(({ number }) => number === 14)?.detail;
  expect(await rule()).toBe(`${id} moved 0.77 USD at the provider and is in no account`);
  await age(-1);
  await sweep();
  expect(await rule()).toBeUndefined();
  expect(await inSuspense(id)).toEqual([[770_000, 'an unknown movement: other']]);
});

it('[FIN-36] rule 14 compares the sum of all movements with the balance that Stripe says', async () => {
  const { pool } = product.resources.database;
  await sweep();
  const move = (by: number) =>
    pool.query(`update balance_sweep set provider_micro_usd = provider_micro_usd + $1`, [by]);
  await move(10_000);
  expect((await broken()).map(({ number }) => number)).toEqual([14]);
  await move(-10_000);
  expect(await broken()).toEqual([]);
});

it('[FIN-53, FIN-463] what is in suspense is told once, until it is seen or gone', async () => {
  const alerts = async () => (await petra.get('/api/finance/alerts')).body.items;
  const causes = async () => (await petra.get('/api/finance/alerts')).body.causes;
  const told = async () => {
    await book('suspense');
    await product.app.get(SuspenseAlerts, { strict: false }).run();
    return (await alerts()).map(({ text }: { text: string }) => text);
  };
  await told();
  for (const { kind, month, lastPosition } of await causes()) {
    const seen = { kind, month, lastPosition };
    expect((await petra.post('/api/finance/alerts/seen', seen)).status).toBe(204);
    expect((await petra.post('/api/finance/alerts/seen', seen)).status).toBe(404);
  }
  expect(await told()).toEqual([]);
  const { invoiceId } = await subscriber();
  const dispute = await hook('dispute', { invoice: invoiceId, amountUsdCents: 1_500 });
  const text = 'In suspense: -5.01 USD, more than is left of the payment.';
  await comesTo(told, [text]);
  expect(await told()).toEqual([text]);
  const [alert] = await alerts();
  expect(alert).toEqual({
    key: `suspense-${dispute.id}`,
    kind: 'suspense',
    text,
    item: dispute.id,
    amountMicroUsd: -5_010_000,
    raisedAt: expect.any(String),
    position: expect.any(Number),
  });
  const [cause] = await causes();
  expect(cause).toEqual({
    kind: 'suspense',
    month: alert.raisedAt.slice(0, 7),
    count: 1,
    amountMicroUsd: -5_010_000,
    text,
    item: dispute.id,
    position: alert.position,
    lastPosition: alert.position,
  });
  // An alert that was raised after the list was shown is not marked as seen.
  const before = { kind: cause.kind, month: cause.month, lastPosition: alert.position - 1 };
  expect((await petra.post('/api/finance/alerts/seen', before)).status).toBe(404);
  const path = `/api/finance/alerts?kind=${cause.kind}&month=${cause.month}`;
  expect((await petra.get(path)).body.items).toEqual([alert]);
  expect((await petra.get('/api/finance/alerts?kind=suspense&month=2020-01')).body.items).toEqual([]);
  expect(await pia.get('/api/finance/alerts')).toMatchObject({ status: 403 });
  await hook('close-dispute', { dispute: dispute.id, outcome: 'won' });
  await comesTo(told, []);
  const history = (await petra.get(`/api/finance/events?stream=alert-${alert.key}`)).body.items;
  expect(history.map(({ type }: { type: string }) => type)).toEqual(['AlertRaised', 'AlertSettled']);
  expect((await petra.post('/api/finance/alerts/suspense-unknown/seen', {})).status).toBe(404);
  expect(await broken()).toEqual([]);
});

it('[FIN-54] a report that contradicts the record is set aside and told once; its webhook is taken', async () => {
  await hook('top-up', { amountUsdCents: 5_000 });
  await hook('drop-webhooks', { times: 1 });
  const { id } = await sdkFor(simulator()).payouts.create({ amount: 1_200, currency: 'usd' });
  const { eventStore } = product.resources;
  const data = { payoutId: id, amountMicroUsd: 10_000_000, at: new Date().toISOString() };
  await eventStore.append(
    [{ stream: `bank-${id}`, expectedVersion: 0, events: [{ type: 'BankPayoutSent', data }] }],
    { actor: 'system:test', correlationId: id },
  );
  await hook('bounce-payout', { payout: id });
  await comesTo(() => untaken('payout.failed'), 0);
  await product.app.get(BankPayouts, { strict: false }).sweep();
  const { items } = (await petra.get('/api/finance/alerts')).body;
  expect(items.filter(({ item }: { item: string }) => item === id)).toMatchObject([
    {
      kind: 'fact-set-aside',
      text: `A report of the payment provider contradicts the books and was set aside: ${id} was 10.00 USD and is 12.00 USD now.`,
    },
  ]);
});

it('[ADM-41, FIN-620] what was set aside is read again on request: recorded, or set aside again', async () => {
  const commands = product.app.get(CommandBus, { strict: false });
  const retry = (id: string) => commands.execute(new RetryFact(id, 'system:command-line'));
  const setAside = async (kind: 'bank-payout' | 'movement' | 'money-back', id: string, chargeId?: string) => {
    const cause = { actor: 'system:test', ...(chargeId && { chargeId }) };
    await commands.execute(setAsideFact(kind, id, 'as a test', cause));
  };
  const told = async (id: string) =>
    (await petra.get('/api/finance/alerts')).body.items.filter(({ item }: { item: string }) => item === id);
  const { items } = (await petra.get('/api/finance/alerts')).body;
  const wrong = items.find(({ key }: { key: string }) => key.startsWith('bank-payout-')).item;
  expect(await retry(wrong)).toEqual({ accepted: true, agrees: false });
  expect(await told(wrong)).toHaveLength(1);
  const { id: payout } = await sdkFor(simulator()).payouts.create({ amount: 100, currency: 'usd' });
  const { invoiceId } = await subscriber();
  const dispute = await hook('dispute', { invoice: invoiceId });
  await setAside('bank-payout', payout);
  await setAside('money-back', dispute.id, dispute.charge);
  for (const id of [payout, `money-back-${dispute.id}`]) {
    expect(await retry(id)).toEqual({ accepted: true, agrees: true });
    expect(await retry(id)).toEqual({ accepted: false, rejection: { code: 'NotFound' } });
  }
  expect(await told(payout)).toEqual([]);
  const stream = `alert-bank-payout-${wrong}`;
  const types = (await product.resources.eventStore.readStream(stream)).map(({ type }) => type);
  expect(types).toEqual(['AlertRaised', 'AlertRetried', 'AlertRaised']);
  expect(await retry('po_nobody')).toEqual({ accepted: false, rejection: { code: 'NotFound' } });
  const { body: metrics } = await petra.get('/metrics');
  for (const command of ['RetryFact', 'RecordBankPayout'])
    expect(metrics).toMatch(`command_duration_seconds_count{command="${command}",outcome="refused"}`);
  const acts = async () => (await pia.get('/api/admin/audit?kind=retry-report')).body.items;
  await comesTo(async () => (await acts()).length, 3);
  expect((await acts()).at(-1)).toMatchObject({ did: 'alone', subject: `bank-payout-${wrong}` });
});

it('[FIN-36, FIN-56] a movement in another currency is in that currency’s own accounts, compared with Stripe’s balance in it', async () => {
  await hook('movement', { type: 'topup', amountUsdCents: 1_499, feeUsdCents: 20, currency: 'eur' });
  await hook('movement', { type: 'topup', amountUsdCents: 500, currency: 'jpy' });
  await sweep();
  const { otherCurrencies } = (await petra.get('/api/finance/trial-balance')).body;
  const both = (currency: string, micro: number) => ({
    currency,
    accounts: [
      { account: `stripe:balance:${currency}`, balanceMicro: micro },
      { account: `suspense:${currency}`, balanceMicro: -micro },
    ],
  });
  // The amounts come from earlier tests; no other item is in these accounts.
  expect(otherCurrencies).toEqual([both('eur', 14_790_000), both('jpy', 500_000_000)]);
  expect((await petra.get('/api/finance/accounts/suspense:jpy')).body).toMatchObject({
    balanceMicroUsd: 0,
    other: { currency: 'jpy', balanceMicro: -500_000_000 },
  });
  const { items } = (await petra.get('/api/finance/open-items')).body;
  expect(items.find(({ account }: { account: string }) => account === 'suspense:eur')).toMatchObject({
    amountMicroUsd: 0,
    reason: '14.79 EUR moved, in a currency that we do not sell in: topup',
  });
  expect(await broken()).toEqual([]);
  const { pool } = product.resources.database;
  await pool.query(`update foreign_balance set provider_micro = provider_micro + 1 where currency = 'eur'`);
  expect((await broken()).map(({ detail }) => detail)).toEqual([
    expect.stringContaining('balance in eur was 14.790001, the books up to event'),
  ]);
  await pool.query(`update foreign_balance set provider_micro = provider_micro - 1 where currency = 'eur'`);
});

it('[TAX-17, FIN-511] what Stripe keeps as a reserve is in stripe:reserve until it is back, and the books tie throughout', async () => {
  // Lets pending events of other tests happen first.
  await simulator().advance(2);
  await sweep(2 * 86_400_000);
  const [cash, reserve] = [await book('stripe:balance'), await book('stripe:reserve')];
  await hook('reserve', { amountUsdCents: 4_500, days: 2 });
  await sweep(2 * 86_400_000);
  expect([await book('stripe:balance'), await book('stripe:reserve')]).toEqual([
    cash - 45_000_000,
    reserve + 45_000_000,
  ]);
  expect(await broken()).toEqual([]);
  await simulator().advance(2);
  await sweep(4 * 86_400_000);
  expect([await book('stripe:balance'), await book('stripe:reserve')]).toEqual([cash, reserve]);
  expect(await broken()).toEqual([]);
});
