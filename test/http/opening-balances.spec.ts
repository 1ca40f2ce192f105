import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { finance } from '../../cli/finance/finance.command.js';
import { openTools } from '../../cli/tools.js';
import { SuspenseAlerts } from '../../application/ledger/renew-alerts.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { BalanceTransactions, RecordMovement } from '../../application/payments/balance-transactions.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { bookOf, pull, startWithStaff, subscribe, comesTo } from '../support/money-back.js';
import { breaksBooks } from '../support/invariants.js';
import { addedByBeancount, addedByHledger, itWith } from '../support/plain-text-accounting.js';
import type { TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';
import { sdkFor } from '../support/stripe.js';

let product: TestProduct;
let pia: HttpClient;
let petra: HttpClient;
let quinn: HttpClient;
/**
 * The month in which the Stripe account was first used, the month of the first sale, and the month after it.
 */
let months: [used: string, first: string, next: string];

const now = () => product.resources.clock.now();
const monthOf = (time: Date) => time.toISOString().slice(0, 7);
const monthAfter = (month: string) => monthOf(new Date(Date.parse(`${month}-01`) + 32 * 86_400_000));
const simulator = () => product.resources.stripeSimulator!;
const book = (account: string) => bookOf(petra, account);
const sweep = () => product.app.get(BalanceTransactions, { strict: false }).sweep();
const broken = async () => {
  const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
  return invariants.filter(({ holds }) => !holds).map(({ number }) => number);
};
const close = (month: string) => petra.post(`/api/finance/periods/${month}/close`, {});
const approve = (who: HttpClient, id: string) =>
  who.post(`/api/finance/approvals/${id}/approve`, {}, keyed());
const waiting = async (): Promise<string> =>
  (await quinn.get('/api/finance/approvals')).body.items.find(
    ({ work }: { work: { kind: string } }) => work.kind === 'begin-books',
  )?.id;
const offcut = async (given: object) => {
  const tools = await openTools(product.resources.config);
  const lines: string[] = [];
  try {
    const well = await finance(tools, given as Parameters<typeof finance>[1], (line) => lines.push(line));
    return { well, lines };
  } finally {
    await tools.close();
  }
};
const begin = (month: string, by = petra.email) =>
  offcut({ command: 'begin-books', subject: month, by, reason: 'The account sold lessons before' });
/** Two people choose the first month, and the worker opens the books. */
const begun = async (month: string) => {
  expect(await begin(month)).toEqual({
    well: true,
    lines: [`The books begin with ${month} once a second person agrees, at /finance/approvals.`],
  });
  await comesTo(async () => typeof (await waiting()), 'string');
  expect((await approve(quinn, await waiting())).body.status).toBe('carried out');
  await sweep();
};
const atStripe = async (currency: string) => {
  const { available, pending } = await sdkFor(simulator()).balance.retrieve();
  return [...available, ...pending].reduce(
    (sum, each) => sum + (each.currency === currency ? each.amount : 0) * 10_000,
    0,
  );
};
const trialBalance = async (asOf: string) => {
  const { accounts, totals } = (await petra.get(`/api/finance/trial-balance?asOf=${asOf}&grouped=true`)).body;
  expect(totals.debitMicroUsd).toBe(totals.creditMicroUsd);
  return (account: string) => accounts.find((row: { account: string }) => row.account === account);
};

/** 1,000.00 + 46.40 − 1.65 − 0.25 − 300.00 USD, including 7.00 that Stripe holds as a reserve. */
const OPENING = 744_500_000;

beforeAll(async () => {
  ({ product, pia, petra } = await startWithStaff());
  quinn = await signedUpAs(product, 'finance');
  const history = [
    { type: 'topup', amountUsdCents: 100_000 },
    { type: 'payment_reversal', amountUsdCents: 4_640, feeUsdCents: 165 },
    { type: 'tax_fee', amountUsdCents: -25 },
    { type: 'something_old', amountUsdCents: -30_000 },
    { type: 'cleared', amountUsdCents: 2_000 },
    { type: 'reserve_hold', amountUsdCents: -700 },
    { type: 'topup', amountUsdCents: 500, feeUsdCents: 20, currency: 'eur' },
  ];
  for (const movement of history) await pull(product, 'movement', movement);
  const used = monthOf(now());
  await simulator().advance(110);
  await subscribe(product);
  const first = monthOf(now());
  const next = monthAfter(first);
  months = [used, first, next];
  await simulator().advance(Math.ceil((Date.parse(`${next}-09`) - now().getTime()) / 86_400_000));
  await sweep();
});
afterAll(() => product?.stop());

it('[FIN-602] an account with a history has months that nobody can close, and waits in suspense', async () => {
  breaksBooks(product.resources.database, 'movements of months ago wait in suspense', [15]);
  const [used, first] = months;
  expect(await book('opening-balances')).toBe(0);
  expect(await book('suspense')).toBe(-766_400_000);
  expect(await broken()).toEqual([15]);
  const refused = await close(first);
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'PeriodOutOfOrder', nextMonth: used }]);
  // Entries in that month keep their own date.
  expect((await close(used)).body.code).toBe('BooksBroken');
  // Finance clears one item by hand, and it stays cleared.
  const { items } = (await petra.get('/api/finance/open-items')).body;
  const { about } = items.find(({ reason }: { reason: string }) => reason.endsWith(': cleared'));
  const entry = { account: 'suspense', about, to: 'bank', reason: 'Our own money', evidence: 'Statement 11' };
  const asked = await petra.post('/api/finance/adjusting-entries', entry, keyed());
  expect((await approve(quinn, asked.body.id)).body.status).toBe('carried out');
});

it('[FIN-600, FIN-605] two people choose the first month: none to come, none after the first sale, one request at a time', async () => {
  const [, first, next] = months;
  await expect(begin(first, pia.email)).rejects.toThrow('does not hold the role finance');
  expect(await begin('2099-01')).toEqual({ well: false, lines: ['MonthNotBegun', 'month: "2099-01"'] });
  expect(await begin(next)).toEqual({
    well: false,
    lines: ['BooksBeganEarlier', `firstMonth: "${first}"`],
  });
  expect((await begin(first)).well).toBe(true);
  await comesTo(async () => typeof (await waiting()), 'string');
  expect(await begin(first)).toEqual({ well: false, lines: ['AlreadyRequested'] });
  const id = await waiting();
  expect((await approve(petra, id)).body.code).toBe('SecondPersonNeeded');
  expect(await book('opening-balances')).toBe(0);
  expect((await approve(quinn, id)).body.status).toBe('carried out');
  await comesTo(
    async () =>
      (await pia.get('/api/admin/audit?kind=begin-books')).body.items.map(
        ({ did, subject }: { did: string; subject: string }) => `${did} ${subject}`,
      ),
    [`approved ${first}`, `asked ${first}`],
  );
});

it('[FIN-601, FIN-603] the sweep opens the books: every rule holds, and the opening balance is what Stripe had', async () => {
  const [used, first] = months;
  await sweep();
  expect(await broken()).toEqual([]);
  const { body } = await petra.get('/api/finance/accounts/opening-balances?limit=10');
  expect([body.kind, body.balanceMicroUsd]).toEqual(['equity', -OPENING]);
  expect(body.entries.map(({ deltaMicroUsd }: { deltaMicroUsd: number }) => deltaMicroUsd).sort()).toEqual(
    [-1_000_000_000, -44_750_000, 250_000, 300_000_000].sort(),
  );
  expect(new Set(body.entries.map(({ at }: { at: string }) => at.slice(0, 7)))).toEqual(new Set([used]));
  expect(await book('suspense')).toBe(0);
  // The shop's own month has only the fee of its first sale.
  const before = await trialBalance(`${first}-01T00:00:00Z`);
  expect(before('opening-balances')).toMatchObject({ kind: 'equity', creditMicroUsd: OPENING });
  expect(before('stripe-fees')).toMatchObject({ debitMicroUsd: 0, creditMicroUsd: 0 });
  // The item that was cleared later.
  expect(before('suspense').creditMicroUsd).toBe(20_000_000);
  expect(before('stripe:balance').debitMicroUsd + before('stripe:reserve').debitMicroUsd).toBe(
    OPENING + 20_000_000,
  );
  expect(await book('stripe:balance')).toBe(await atStripe('usd'));
  const { otherCurrencies } = (await petra.get('/api/finance/trial-balance')).body;
  expect(JSON.stringify(otherCurrencies)).toContain('opening-balances:eur');
  expect((await petra.get('/api/finance/open-items')).body.items).toMatchObject([
    { account: 'stripe:reserve' },
  ]);
  // Each movement of the list leads to its card, even a fee without cash of its own.
  for (const { event } of body.entries) {
    const { cards } = (await petra.get(`/api/finance/trace/${event.data.transactionId}`)).body;
    expect(cards[0].facts).toContainEqual(
      expect.objectContaining({
        label: 'In the opening balance',
        href: '/finance/accounts/opening-balances',
      }),
    );
  }
  const listed = (await petra.get('/api/finance/balances-over-time')).body.items;
  expect(listed[0]).toMatchObject({ month: first });
});

it('[FIN-604] until a month is closed two people can choose another one, to the micro-dollar', async () => {
  breaksBooks(product.resources.database, 'movements of months ago wait in suspense', [15]);
  const [used, first] = months;
  await begun(used);
  expect([await book('opening-balances'), await book('suspense')]).toEqual([0, -746_400_000]);
  expect(await broken()).toEqual([15]);
  await begun(first);
  expect([await book('opening-balances'), await book('suspense')]).toEqual([-OPENING, 0]);
  expect(await broken()).toEqual([]);
  const events = (await product.resources.eventStore.head()).position;
  await sweep();
  expect((await product.resources.eventStore.head()).position).toBe(events);
});

it('[FIN-603] the first month is closed with the report of its own days; then the beginning is fixed', async () => {
  const [used, first, next] = months;
  await product.app.get(SuspenseAlerts, { strict: false }).run();
  // The reserve stays, and its alert is seen; items in suspense are settled.
  const { causes } = (await petra.get('/api/finance/alerts')).body;
  expect(causes).toMatchObject([{ count: 1, item: 'reserve' }]);
  const [{ kind, month, lastPosition }] = causes;
  expect((await petra.post('/api/finance/alerts/seen', { kind, month, lastPosition })).status).toBe(204);
  const report = await fetch(`${simulator().url}/_test/balance-report`, { method: 'POST' });
  const [head = '', ...lines] = (await report.text()).trim().split('\n');
  const own = lines.filter((line) => line.includes(first));
  expect(own.length).toBeGreaterThan(0);
  const end = new Date(Date.parse(`${next}-01`) - 1).toISOString().slice(0, 10);
  const tied = await petra.post(`/api/finance/stripe-report?from=${first}-01&to=${end}`, {
    csv: [head, ...own].join('\n'),
  });
  expect([tied.status, tied.body.kept?.unexplainedMicroUsd]).toEqual([200, 0]);
  expect((await close(used)).body).toMatchObject({ code: 'PeriodBeforeBooks', firstMonth: first });
  const closed = await close(first);
  expect([closed.status, closed.body.undone]).toEqual([201, undefined]);
  expect(await begin(first)).toEqual({ well: false, lines: ['PeriodIsClosed', `newestMonth: "${first}"`] });

  // Stripe reports an older movement only now. The closed month stays unchanged.
  const late = {
    type: 'RecordBalanceTransaction',
    transactionId: 'txn_late',
    kind: 'other',
    grossUsdCents: 300,
    feeUsdCents: 0,
    at: `${used}-20T10:00:00.000Z`,
  } as const;
  const cause = { actor: 'system:test' };
  await product.app.get(CommandBus).execute(new RecordMovement('txn_late', late, cause));
  expect(await book('opening-balances')).toBe(-OPENING - 3_000_000);
  expect((await trialBalance(`${next}-01T00:00:00Z`))('opening-balances').creditMicroUsd).toBe(OPENING);
  expect(await broken()).toEqual([]);
});

itWith('hledger')('[FIN-20, FIN-603] hledger adds the same opening balance, strictly', async () => {
  const { lines } = await offcut({ command: 'export', format: 'hledger' });
  const journal = lines.join('\n');
  expect(journal).toContain('account opening-balances  ; type:E');
  const added = addedByHledger(journal);
  expect([added.get('opening-balances'), added.get('opening-balances:eur')]).toEqual([
    await book('opening-balances'),
    -4_800_000,
  ]);
});

itWith('bean-check')('[FIN-20, FIN-603] beancount adds the same opening balance', async () => {
  const { lines } = await offcut({ command: 'export', format: 'beancount' });
  const added = addedByBeancount(lines.join('\n'));
  expect(added.get('Equity:Opening-balances')).toBe(await book('opening-balances'));
});
