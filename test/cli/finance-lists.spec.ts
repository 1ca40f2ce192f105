import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FinanceUsage, finance } from '../../cli/finance/finance.command.js';
import { openTools, type Tools } from '../../cli/tools.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { paidInvoice } from '../support/books.js';
import { CommandLine } from '../support/command-line.js';
import type { HttpClient } from '../support/http-client.js';
import { purchaseOf, stock } from '../support/stock.js';
import { grantRoles } from '../support/staff.js';

let cli: CommandLine;
let petra: HttpClient;
let tools: Tools;
const lastMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 20));

beforeAll(async () => {
  cli = await CommandLine.open();
  const { resources } = cli.product;
  tools = await openTools(resources.config);
  petra = await cli.product.signedUp();
  await grantRoles(resources.database, petra.userId, 'finance');
  const month = lastMonth.toISOString().slice(0, 7);
  const closed = {
    month,
    lastPosition: 0,
    hash: '0'.repeat(64),
    balances: [],
    by: petra.userId,
    at: new Date().toISOString(),
  };
  await resources.eventStore.append(
    [{ stream: `period-${month}`, expectedVersion: 0, events: [{ type: 'PeriodClosed', data: closed }] }],
    { actor: petra.userId, correlationId: month },
  );
  // Recorded after its month was closed. Also a payout in transit.
  const late = paidInvoice(petra.userId, {
    paidAt: lastMonth,
    taxMicroUsd: 790_000,
    taxed: { place: 'US-NY', taxableMicroUsd: 9_200_000, percentage: 8.875, reason: 'standard_rated' },
  });
  await resources.creditExecutor.grantInvoice(late, { correlationId: 'late' });
  // Credits that cost more than those of any plan, and the sample that they bought.
  const dear = { ...paidInvoice('ada'), credits: 1 };
  await resources.creditExecutor.grantInvoice(dear, { correlationId: 'dear' });
  const bought = await resources.creditExecutor.buy(purchaseOf('ada', await stock(resources.database, 1)));
  expect(bought.outcome.status).toBe('bought');
  const sent = { payoutId: 'po_1', amountMicroUsd: 5_000_000, at: new Date().toISOString() };
  await resources.eventStore.append(
    [
      {
        stream: 'bank-payout-po_1',
        expectedVersion: 0,
        events: [{ type: 'BankPayoutSent', data: sent }],
      },
    ],
    { actor: 'system:payments', correlationId: 'po_1' },
  );
});
afterAll(async () => {
  await tools?.close();
  await cli?.close();
});

/** Returns what the command prints, without a process of its own. */
async function printed(
  command: string,
  more: { userId?: string; format?: string; grouped?: string } = {},
): Promise<string> {
  let text = '';
  expect(await finance(tools, { command, ...more }, (line) => (text += `${line}\n`))).toBe(true);
  return text;
}

/** The command, and the endpoint with the same list. */
const LISTS = [
  ['balances-over-time', 'balances-over-time'],
  ['credit-rollforward-months', 'credit-rollforward/months'],
  ['tax', 'tax'],
  ['deferred', 'reports/deferred'],
  ['ageing', 'reports/ageing'],
  ['open-items', 'open-items'],
  ['periods', 'periods'],
  ['late-facts', 'late-facts'],
  ['sales-under-review', 'sales-under-review'],
] as const;

describe('offcut finance, list by list', () => {
  it.each(LISTS)(
    '[FIN-15, FIN-16, FIN-21, FIN-28, FIN-106] %s prints what /api/finance/%s answers, as JSON, CSV and a table',
    async (command, route) => {
      const { body } = await petra.get(`/api/finance/${route}`);
      const { items } = body;
      expect(items.length).toBeGreaterThan(0);
      expect(JSON.parse(await printed(command, { format: 'json' }))).toEqual({
        ...body,
        ...(body.asOf && { asOf: expect.any(String) }),
      });
      const [heads = '', ...rows] = (await printed(command, { format: 'csv' })).split('\r\n').slice(0, -1);
      const parsed = rows.map((row) =>
        Object.fromEntries(row.split(',').map((cell, index) => [heads.split(',')[index], cell])),
      );
      const texts = (item: object) =>
        Object.fromEntries(Object.entries(item).map(([key, value]) => [key, String(value ?? '')]));
      expect(parsed).toMatchObject(items.map(texts));
      const table = await printed(command);
      const lines = table
        .trimEnd()
        .split('\n')
        .slice(0, items.length + 1);
      expect(lines).toHaveLength(items.length + 1);
      expect(new Set(lines.slice(1).map((line) => line.length)).size).toBe(1);
      expect(table).not.toContain('MicroUsd');
    },
  );

  it('[FIN-15, FIN-16, FIN-665] prints the trial balance and the roll-forward of credits as they are answered', async () => {
    const grouped = { grouped: 'true' };
    const { asOf: _, ...balance } = (await petra.get('/api/finance/trial-balance?grouped=true')).body;
    expect(JSON.parse(await printed('trial-balance', { format: 'json', ...grouped }))).toMatchObject(balance);
    const [heads, ...rows] = (await printed('trial-balance', { format: 'csv', ...grouped }))
      .trimEnd()
      .split('\r\n');
    expect(heads).toBe('account,kind,accounts,position,debitMicroUsd,creditMicroUsd,name');
    expect(rows.map((row) => row.split(',')[4])).toEqual(
      balance.accounts.map(({ debitMicroUsd }: { debitMicroUsd: number }) => String(debitMicroUsd)),
    );
    const rollforward = (await petra.get('/api/finance/credit-rollforward')).body;
    expect(JSON.parse(await printed('credit-rollforward', { format: 'json' }))).toEqual(rollforward);
    expect(await printed('credit-rollforward', { format: 'csv' })).toBe(
      `${Object.keys(rollforward).join()}\r\n${Object.values(rollforward).join()}\r\n`,
    );
    expect(await printed('credit-rollforward')).toMatch(/^closing +50$/m);
  });

  it('[FIN-16] knows one user, and refuses forms that there are none of', async () => {
    expect(await printed('credit-rollforward-months', { userId: 'nobody' })).toBe('none\n');
    expect(await printed('credit-rollforward-months', { userId: petra.userId })).toMatch(/ 50\n$/);
    for (const [command, format] of [
      ['periods', 'xml'],
      ['open-items', 'hledger'],
      ['export', 'table'],
    ])
      await expect(printed(command!, { format })).rejects.toThrow(FinanceUsage);
  });

  it('[FIN-15] is called from a shell like the other commands', async () => {
    const [months, wrong] = await Promise.all([
      cli.run('finance', 'balances-over-time', '--format', 'csv'),
      cli.run('finance', 'periods', 'more'),
    ]);
    expect(months).toMatchObject({ code: 0, stdout: await printed('balances-over-time', { format: 'csv' }) });
    expect([wrong.code, wrong.stdout, /Usage: offcut/.test(wrong.stderr)]).toEqual([2, '', true]);
  });
});

it('[FIN-40] the command line keeps the calendar of the simulator, beside the product and from its folder', async () => {
  const { config, stripeSimulator, clock } = cli.product.resources;
  await stripeSimulator?.advance(40);
  const shared = {
    ...config,
    stripe: { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', apiBase: stripeSimulator?.url },
  };
  for (const given of [config, shared]) {
    const tools = await openTools(given);
    const apartMs = clock.now().getTime() - tools.clock.now().getTime();
    await tools.close();
    expect(Math.abs(apartMs)).toBeLessThan(60 * 60_000);
  }
});

it('[FIN-40] days that the simulator skipped lack no signed head', async () => {
  const heads = cli.product.app.get(SignedHeads, { strict: false });
  await heads.signHour();
  await cli.product.resources.stripeSimulator?.advance(3);
  const { stdout } = await cli.run('doctor');
  const said = stdout.split('\n').find((line) => line.includes('signed heads')) ?? '';
  expect(said).toContain('1 agree with the log');
  expect(said).not.toContain('none on');
});
