import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { finance } from '../../cli/finance/finance.command.js';
import { openTools } from '../../cli/tools.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';
import { press } from '../support/stripe.js';

jest.setTimeout(60_000);

let product: TestProduct;
let petra: HttpClient;
const advance = (days: number) => product.resources.stripeSimulator!.advance(days);
const close = (month: string) => petra.post(`/api/finance/periods/${month}/close`, {});
/** The command line, without a process of its own. */
const offcut = async (command: string, subject: string) => {
  const tools = await openTools(product.resources.config);
  const lines: string[] = [];
  try {
    return { well: await finance(tools, { command, subject }, (line) => lines.push(line)), lines };
  } finally {
    await tools.close();
  }
};
const monthAfter = (month: string, count: number) => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
};
const thisMonth = new Date().toISOString().slice(0, 7);

beforeAll(async () => {
  product = await startTestProduct();
  petra = await product.signedUp();
  await grantRoles(product.resources.database, petra.userId, 'finance');
  const ada = await product.signedUp();
  const path = `/api/stripe/create-checkout-session?plan=starter&userId=${ada.userId}`;
  await press((await ada.post(path, { plan: 'starter' })).body.url, { outcome: 'paid' });
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await ada.get('/api/credits')).body.balance === 50) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await ada.post('/api/subscription/cancel', {}, { headers: { 'idempotency-key': crypto.randomUUID() } });
  await advance(100);
}, 120_000);
afterAll(() => product?.stop());

it('[FIN-21, FIN-37] months are closed in order, each once, with every rule green', async () => {
  const next = monthAfter(thisMonth, 1);
  const early = await close(next);
  expect([early.status, early.body]).toMatchObject([409, { code: 'PeriodOutOfOrder', nextMonth: thisMonth }]);
  const first = await close(thisMonth);
  expect([first.status, first.body]).toMatchObject([201, { month: thisMonth, closedBy: petra.userId }]);
  expect([(await close(thisMonth)).status, (await close(thisMonth)).body]).toEqual([200, first.body]);
  expect((await petra.get('/api/finance/periods')).body.items).toEqual([first.body]);
  const closed = await offcut('close', next);
  expect(closed).toEqual({
    well: true,
    lines: [expect.stringMatching(new RegExp(`^${next} is closed at event \\d+, [0-9a-f]{64}$`))],
  });
  expect(await offcut('close', next)).toEqual(closed);
  const before = await close(monthAfter(thisMonth, -1));
  expect([before.status, before.body]).toMatchObject([
    422,
    { code: 'PeriodBeforeBooks', firstMonth: thisMonth },
  ]);
});

it('[FIN-37] a month stays open while a rule is broken, and the answer names it', async () => {
  // Money that nobody knows, for longer than a week.
  await fetch(`${product.resources.stripeSimulator!.url}/_test/top-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amountUsdCents: 77 }),
  });
  await product.app.get(BalanceTransactions, { strict: false }).sweep();
  await advance(10);
  const { status, body } = await close(monthAfter(thisMonth, 2));
  expect([status, body.code]).toEqual([409, 'BooksBroken']);
  expect(body.broken).toEqual([
    { number: 15, name: 'Nothing aged stays in transit, held or in suspense', detail: expect.any(String) },
  ]);
  expect(body.detail).toMatch(
    /^Rule 15 \(Nothing aged .*\): suspense holds -770000 of tu_\w+ since .*: topup\.$/,
  );
  expect((await petra.get('/api/finance/periods')).body.items).toHaveLength(2);
});
