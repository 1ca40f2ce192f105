import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { finance } from '../../cli/finance/finance.command.js';
import { openTools } from '../../cli/tools.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { readZip } from '../support/zip.js';
import { grantRoles, signedUpAs } from '../support/staff.js';
import { pull } from '../support/money-back.js';
import { press, sdkFor } from '../support/stripe.js';
import { until } from '../support/until.js';

let product: TestProduct;
let petra: HttpClient;
let quinn: HttpClient;
const advance = (days: number) => product.resources.stripeSimulator!.advance(days);
/**
 * Ties out everything that moved at Stripe with the books.
 * @param month its end is the end of the covered time
 */
const tieOut = async (month: string) => {
  const { data } = await sdkFor(product.resources.stripeSimulator!).balanceTransactions.list({ limit: 100 });
  const dollars = (cents: number) => (cents / 100).toFixed(2);
  const lines = data.map(({ id, created, reporting_category, amount, net, source }) =>
    [
      id,
      new Date(created * 1_000).toISOString(),
      reporting_category,
      dollars(amount),
      dollars(net),
      String(source),
    ].join(','),
  );
  const csv = ['balance_transaction_id,created_utc,reporting_category,gross,net,source_id', ...lines].join(
    '\n',
  );
  const end = new Date(Date.parse(`${monthAfter(month, 1)}-01`) - 1).toISOString().slice(0, 10);
  const { status, body } = await petra.post(`/api/finance/stripe-report?to=${end}`, { csv });
  expect([status, body.kept?.unexplainedMicroUsd]).toEqual([200, 0]);
};
const close = (month: string) => petra.post(`/api/finance/periods/${month}/close`, {});
/** Runs the command line without a process of its own. */
const offcut = async (command: string, subject: string, by?: string) => {
  const tools = await openTools(product.resources.config);
  const lines: string[] = [];
  try {
    return {
      well: await finance(tools, { command, subject, ...(by && { by }) }, (line) => lines.push(line)),
      lines,
    };
  } finally {
    await tools.close();
  }
};
const monthAfter = (month: string, count: number) => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
};
const topUp = async (amountUsdCents: number): Promise<string> => {
  await pull(product, 'top-up', { amountUsdCents });
  await product.app.get(BalanceTransactions, { strict: false }).sweep();
  return (await petra.get('/api/finance/open-items')).body.items.at(-1).about;
};
const doneOf = ({ items }: { items: { id: string; done: boolean }[] }) =>
  Object.fromEntries(items.map(({ id, done }) => [id, done]));
const advanceTo = (day: string) =>
  advance(Math.ceil((Date.parse(day) - product.resources.clock.now().getTime()) / 86_400_000));
const clear = async (body: object) => {
  const asked = await petra.post(
    '/api/finance/adjusting-entries',
    { account: 'suspense', to: 'bank', reason: 'Our own money', evidence: 'Bank statement, line 1', ...body },
    keyed(),
  );
  return asked.status === 202 ? approve(quinn, asked.body.id) : asked;
};
const approve = (who: HttpClient, id: string) =>
  who.post(`/api/finance/approvals/${id}/approve`, {}, keyed());
const reopen = (month: string) =>
  petra.post(`/api/finance/periods/${month}/reopen`, { reason: 'An item was forgotten' }, keyed());
const thisMonth = new Date().toISOString().slice(0, 7);

beforeAll(async () => {
  product = await startTestProduct();
  petra = await product.signedUp();
  await grantRoles(product.resources.database, petra.userId, 'finance');
  quinn = await signedUpAs(product, 'finance');
  const ada = await product.signedUp();
  const path = `/api/stripe/create-checkout-session?plan=starter&userId=${ada.userId}`;
  await press((await ada.post(path, { plan: 'starter' })).body.url, { outcome: 'paid' });
  await until(async () => (await ada.get('/api/credits')).body.balance === 50);
  await ada.post('/api/subscription/cancel', {}, { headers: { 'idempotency-key': crypto.randomUUID() } });
  await advance(100);
});
afterAll(() => product?.stop());

it('[FIN-21, FIN-37, FIN-606] months are closed in order, each once, with every rule green', async () => {
  const next = monthAfter(thisMonth, 1);
  const early = await close(next);
  expect([early.status, early.body]).toMatchObject([409, { code: 'PeriodOutOfOrder', nextMonth: thisMonth }]);
  const untied = await close(thisMonth);
  expect([untied.status, untied.body.code, untied.body.undone]).toMatchObject([
    409,
    'PeriodNotReady',
    [{ id: 'tie-out', done: false }],
  ]);
  expect((await petra.get(`/api/finance/events?stream=period-${thisMonth}`)).body.items).toEqual([]);
  await tieOut(thisMonth);
  const first = await close(thisMonth);
  expect([first.status, first.body]).toMatchObject([
    201,
    { month: thisMonth, closedBy: petra.userId, closedByName: expect.not.stringContaining('member') },
  ]);
  expect([(await close(thisMonth)).status, (await close(thisMonth)).body]).toEqual([200, first.body]);
  expect((await petra.get('/api/finance/periods')).body.items).toEqual([first.body]);
  await expect(offcut('close', next)).rejects.toThrow('--by');
  await expect(offcut('close', next, 'nobody@offcut.test')).rejects.toThrow('does not hold');
  await tieOut(next);
  const closed = await offcut('close', next, petra.email);
  expect(closed).toEqual({
    well: true,
    lines: [expect.stringMatching(new RegExp(`^${next} is closed at event \\d+, [0-9a-f]{64}$`))],
  });
  expect(await offcut('close', next, petra.email)).toEqual(closed);
  expect((await petra.get('/api/finance/periods')).body.items[0]).toMatchObject({
    month: next,
    closedBy: petra.userId,
  });
  expect(await offcut('close', monthAfter(thisMonth, 9), petra.email)).toEqual({
    well: false,
    lines: [
      `${monthAfter(thisMonth, 9)} is not closed: PeriodNotOver`,
      `endsAt: "${monthAfter(thisMonth, 10)}-01T00:00:00.000Z"`,
    ],
  });
  const before = await close(monthAfter(thisMonth, -1));
  expect([before.status, before.body]).toMatchObject([
    422,
    { code: 'PeriodBeforeBooks', firstMonth: thisMonth },
  ]);
});

it('[FIN-37] a month stays open while a rule is broken, and the answer names it', async () => {
  // Unexplained money, for longer than a week.
  await topUp(77);
  await advance(10);
  const { status, body } = await close(monthAfter(thisMonth, 2));
  expect([status, body.code]).toEqual([409, 'BooksBroken']);
  expect(body.broken).toEqual([
    { number: 15, name: 'Nothing aged stays in transit, held or in suspense', detail: expect.any(String) },
  ]);
  expect(body.detail).toMatch(
    /^Rule 15 \(Nothing aged .*\): suspense holds -0\.77 USD of tu_\w+ since .*: topup\.$/,
  );
  expect((await petra.get('/api/finance/periods')).body.items).toHaveLength(2);
  const checklist = (await petra.get(`/api/finance/periods/${monthAfter(thisMonth, 2)}/checklist`)).body;
  expect([checklist.ready, doneOf(checklist)]).toEqual([
    false,
    { turn: true, rules: false, 'tie-out': false, aged: false, suspense: false, alerts: true },
  ]);
});

it('[FIN-63, FIN-64] what is in suspense is explained or cleared before a month is closed, and two people reopen it', async () => {
  const aged = (await petra.get('/api/finance/open-items')).body.items[0].about;
  expect((await clear({ about: aged })).body.status).toBe('carried out');
  const month = monthAfter(product.resources.clock.now().toISOString().slice(0, 7), 1);
  await advanceTo(`${month}-28`);
  const about = await topUp(33);
  await advanceTo(`${monthAfter(month, 1)}-02`);
  await tieOut(month);
  const refused = await close(monthAfter(thisMonth, 2));
  expect([refused.status, refused.body.code]).toEqual([409, 'PeriodNotReady']);
  expect(refused.body.undone).toMatchObject([
    { id: 'suspense', text: '1 item in suspense is neither explained nor cleared' },
  ]);
  const note = { account: 'suspense', about, note: 'Ours; cleared once the statement is there' };
  expect((await petra.post('/api/finance/open-items/notes', note)).status).toBe(204);
  for (let open = monthAfter(thisMonth, 2); open <= month; open = monthAfter(open, 1))
    expect([open, (await close(open)).status]).toEqual([open, 201]);

  // A closed month takes no entries.
  expect((await clear({ about, month })).body.code).toBe('PeriodIsClosed');
  expect((await reopen(monthAfter(month, -1))).body).toMatchObject({
    code: 'PeriodNotNewest',
    newestMonth: month,
  });
  expect((await reopen(monthAfter(month, 1))).body.code).toBe('PeriodIsOpen');
  const asked = await reopen(month);
  expect([asked.status, asked.body.status]).toEqual([202, 'waiting']);
  expect((await approve(petra, asked.body.id)).body.code).toBe('SecondPersonNeeded');
  const newest = async () => (await petra.get('/api/finance/periods')).body.items[0];
  const before = await newest();
  expect(before.month).toBe(month);
  expect((await approve(quinn, asked.body.id)).body.status).toBe('carried out');
  expect((await newest()).month).toBe(monthAfter(month, -1));

  // An open month takes an entry at its end. It is closed again with its new balances.
  expect((await clear({ about, month: monthAfter(month, 1) })).body.code).toBe('PeriodNotOver');
  expect((await clear({ about, month })).body.status).toBe('carried out');
  const atItsEnd = async (account: string) => {
    const { accounts } = (
      await petra.get(`/api/finance/trial-balance?asOf=${monthAfter(month, 1)}-01T00:00:00Z&grouped=true`)
    ).body;
    return accounts.find((row: { account: string }) => row.account === account);
  };
  expect(await atItsEnd('suspense')).toMatchObject({ debitMicroUsd: 0, creditMicroUsd: 0 });
  expect((await close(month)).status).toBe(201);
  const after = await newest();
  expect([after.month, after.lastPosition > before.lastPosition]).toEqual([month, true]);
  const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
  expect(invariants.filter(({ holds }) => !holds)).toEqual([]);

  // [FIN-712] Only another person than the one who closed the month signs it. What is filed is one ZIP.
  expect(after.signedBy).toBeNull();
  const sign = (person: typeof petra, which = month) =>
    person.post(`/api/finance/periods/${which}/sign`, undefined);
  expect((await sign(petra)).body.code).toBe('SecondPersonNeeded');
  expect((await sign(quinn, monthAfter(month, 1))).body.code).toBe('PeriodIsOpen');
  for (let time = 0; time < 2; time += 1)
    expect((await sign(quinn)).body).toMatchObject({ month, signedBy: quinn.userId });
  const open = await petra.get(`/api/finance/periods/${monthAfter(month, 1)}/package`);
  expect(open.body.code).toBe('PeriodIsOpen');
  const cookie = [...petra.cookies].map((pair) => pair.join('=')).join('; ');
  const packed = await fetch(`${product.url}/api/finance/periods/${month}/package`, { headers: { cookie } });
  const files = readZip(Buffer.from(await packed.arrayBuffer()));
  expect([...files.keys()].sort()).toEqual([
    'balance-sheet.csv',
    'balances.csv',
    'closing.json',
    'open-items.csv',
    'profit-and-loss.csv',
    'rules.csv',
    'statements.pdf',
    'tie-out.csv',
  ]);
  expect(JSON.parse(String(files.get('closing.json')))).toMatchObject({
    closedBy: petra.userId,
    signedBy: quinn.userId,
    hash: after.hash,
  });
  const { body: statement } = await petra.get(`/api/finance/reports/statement?month=${month}`);
  const assets = statement.balanceSheet.lines.find(({ kind }: { kind: string }) => kind === 'asset');
  expect(String(files.get('balance-sheet.csv'))).toContain(
    `asset,${assets.account},Stripe balance,${(assets.amountMicroUsd / 1e6).toFixed(6)},`,
  );
  expect(String(files.get('rules.csv'))).not.toContain(',NO,');
  expect(files.get('statements.pdf')?.subarray(0, 5).toString()).toBe('%PDF-');

  const stream = (await petra.get(`/api/finance/events?stream=period-${month}`)).body.items;
  expect(stream.map(({ type }: { type: string }) => type)).toEqual([
    'PeriodSealed',
    'PeriodClosed',
    'PeriodReopened',
    'PeriodAdjusted',
    'PeriodSealed',
    'PeriodClosed',
    'PeriodSigned',
  ]);
  expect(stream[2].data).toMatchObject({ by: petra.userId, approvedBy: quinn.userId, reason: '' });
});
