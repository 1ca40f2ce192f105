import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FinanceUsage, finance } from '../../cli/finance/finance.command.js';
import { printAnswer } from '../../cli/finance/print-endpoint.js';
import { openTools, type Tools } from '../../cli/tools.js';
import { readConfig } from '../../bootstrap/config.js';
import type { BalanceTransactionEvent } from '../../domain/shared/balance-movement.js';
import { boundsOf } from '../../domain/ledger/period.js';
import { AccountStatement } from '../../application/ledger/contract.js';
import { TieOutStripe } from '../../application/ledger/tie-outs/do-tie-out.js';
import type { CashFactQueries } from '../../application/ledger/queries.js';
import { TieOuts } from '../../application/ledger/tie-outs/tie-outs.js';
import { balanceTransactionDecider } from '../../domain/payments/balance-transaction.js';
import { booksOn, paidInvoice } from '../support/books.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
let folder: string;
let tools: Tools;
const grant = paidInvoice('ada');
const charged = (transactionId: string): BalanceTransactionEvent => ({
  type: 'BalanceTransactionRecorded',
  data: {
    transactionId,
    kind: 'charge',
    about: grant.invoiceId,
    grossMicroUsd: 9_990_000,
    feeMicroUsd: 590_000,
    at: new Date().toISOString(),
  },
});

beforeAll(async () => {
  test = await startTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'offcut-finance-'));
  tools = await openTools(readConfig({ NODE_ENV: 'test', DATA_DIR: folder, DATABASE_URL: test.url }));
  const on = booksOn(test);
  await on.executor.grantInvoice(grant, { correlationId: 'c' });
  await on.eventStore.append(
    [{ stream: balanceTransactionDecider.streamOf('txn_1'), expectedVersion: 0, events: [charged('txn_1')] }],
    { actor: 'system:payments', correlationId: 'c' },
  );
});
afterAll(async () => {
  await tools?.close();
  await test?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(
  command: string,
  subject?: string,
  part?: string,
): Promise<{ well: boolean; lines: string[] }> {
  const lines: string[] = [];
  return { well: await finance(tools, { command, subject, part }, (line) => lines.push(line)), lines };
}

describe('offcut finance', () => {
  it('[FIN-107] prints amounts exactly, however large', async () => {
    const entry = { at: '2026-11-20', position: 1, fact: 'invoice-paid', deltaCredits: 0, balanceCredits: 0 };
    const amounts = { deltaMicroUsd: 8_999_999_999_999_999, balanceMicroUsd: -1 };
    const lines: string[] = [];
    printAnswer(AccountStatement, { entries: [{ ...entry, ...amounts }] }, 'table', (line) =>
      lines.push(line),
    );
    expect(lines[1]).toMatch(/ 8999999999\.999999 +-0\.000001$/);
  });

  it('[FIN-147] verify says what it believed, and since when all was gone through', async () => {
    const asked: unknown[] = [];
    const at = (day: number) => `2026-11-${day}T03:00:00.000Z`;
    const found = {
      invariants: [],
      chain: { verified: true, position: 250_000 },
      heads: { verified: 0, newest: null, isLate: false, missingDays: [], restores: [] },
      unreadable: [],
      proof: {
        since: { position: 200_000, signedAt: at(19) },
        whole: { log: at(16), rules: at(17), readModels: at(18), files: null },
      },
    };
    const reconcile = { run: async (options: unknown) => (asked.push(options), found) };
    const verify = async (all?: true) => {
      const lines: string[] = [];
      const app = { get: () => reconcile } as unknown as Tools['app'];
      await finance({ ...tools, app }, { command: 'verify', ...(all && { all }) }, (line) =>
        lines.push(line),
      );
      return lines.slice(0, 3);
    };
    expect(await verify()).toEqual([
      '250000 events, the chain is unbroken',
      `checked the events after 200000; a check before the head signed at ${at(19)} covers the earlier ones`,
      `last full check: log ${at(16)}, rules ${at(17)}, read models ${at(18)}, files on sale never`,
    ]);
    await verify(true);
    expect(asked).toEqual([{ scope: 'new' }, { scope: 'all' }]);
  });

  it('[FIN-106] prints what plans earned, and a month for another bookkeeping', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const print = async (command: string, more: object = {}) => {
      const lines: string[] = [];
      const well = await finance(tools, { command, ...more }, (line) => lines.push(line));
      return { well, lines };
    };
    const margin = await print('margin', { format: 'csv', from: month });
    expect(margin.lines).toEqual([
      'month,plan,recognisedMicroUsd,forfeitedMicroUsd,refundsMicroUsd,sharesMicroUsd,feesMicroUsd,chargebacksMicroUsd,goodwillMicroUsd,lossesMicroUsd,marginMicroUsd\r',
      `${month},starter,0,0,0,0,-590000,0,0,0,-590000\r`,
    ]);
    expect((await print('margin', { to: '2026-01' })).lines).toEqual(['none']);
    await expect(print('periods-journal', { subject: month, format: 'xero' })).rejects.toThrow('not closed');
    const draft = await print('periods-journal', { subject: month, draft: 'true', format: 'xero' });
    expect([draft.well, draft.lines[0]]).toEqual([true, expect.stringContaining(`DRAFT Offcut ${month}`)]);
    await expect(print('periods-journal', { subject: month, format: 'csv' })).rejects.toThrow(FinanceUsage);
  });

  it('[FIN-21, FIN-37] closes no month that is not over, or from before the books, and says why', async () => {
    const now = new Date().toISOString().slice(0, 7);
    const early = await run('checklist', '2020-01');
    expect([early.well, early.lines[0]]).toEqual([false, 'OPEN    The books begin after this month']);
    const { well, lines } = await run('checklist', now);
    expect([well, lines[0]]).toEqual([false, 'OPEN    It is not over']);
    await expect(run('close', 'soon')).rejects.toThrow(FinanceUsage);
  });

  it('[FIN-17] ties a report out, and lists what only one side has', async () => {
    const report = join(folder, 'report.csv');
    const at = new Date().toISOString();
    const row = (id: string, invoice: string) => `${id},${at},9.99,0.59,9.40,charge,ch_1,${invoice}\n`;
    const header =
      'balance_transaction_id,created_utc,gross,fee,net,reporting_category,source_id,invoice_id\n';
    writeFileSync(report, header + row('txn_1', grant.invoiceId));
    expect(await run('tie-out', report)).toEqual({ well: true, lines: ['1 match'] });
    writeFileSync(report, header + row('txn_2', 'in_other'));
    expect(await run('tie-out', report)).toEqual({
      well: false,
      lines: [
        '0 match',
        'only at Stripe  txn_2 charge 9.400000, 0 days old',
        'only in books   event 1 invoice-paid 9.990000, 0 days old',
        'only in books   event 2 stripe-fee -0.590000, 0 days old',
      ],
    });
    writeFileSync(report, 'nothing\n');
    await expect(run('tie-out', report)).rejects.toThrow(FinanceUsage);
  });

  it('[FIN-67] keeps what a report came to once, until it comes to something else', async () => {
    const at = new Date().toISOString();
    const day = at.slice(0, 10);
    const csv = `id,created,type,gross,net,invoice_id\ntxn_1,${at},charge,9.99,9.40,${grant.invoiceId}\n`;
    const report = join(folder, 'kept.csv');
    writeFileSync(report, csv);
    const { database, eventStore, app } = tools;
    const before = (await eventStore.head()).position;
    expect([await run('tie-out', report), await run('tie-out', report)]).toEqual([
      { well: true, lines: ['1 match'] },
      { well: true, lines: ['1 match'] },
    ]);
    expect((await eventStore.head()).position).toBe(before + 1);
    const [kept] = await app.get(TieOuts).list(1);
    expect(kept).toMatchObject({
      from: `${day}T00:00:00.000Z`,
      matched: 1,
      booksMicroUsd: 9_400_000,
      stripeMicroUsd: 9_400_000,
      unexplainedMicroUsd: 0,
      doneBy: 'system:command-line',
      position: before + 1,
    });
    expect((await run('tie-outs')).lines.at(1)).toContain(kept?.id);
    const id = kept?.id ?? '';

    // The same file for a longer period is another result. It covers the month once the month is over.
    const month = day.slice(0, 7);
    const { to } = boundsOf(month);
    expect(await app.get(TieOuts).covering(month)).toBeUndefined();
    await finance(
      tools,
      { command: 'tie-out', subject: report, from: `${month}-01`, to: to.toISOString() },
      () => undefined,
    );
    expect((await eventStore.head()).position).toBe(before + 2);
    expect(await app.get(TieOuts).covering(month)).toBeUndefined();
    const [whole] = await app.get(TieOuts).list(1);
    await database.pool.query('update tie_out set done_at = $1 where sha256 = $2', [to, id]);
    expect(await app.get(TieOuts).covering(month)).toMatchObject({ id, unexplainedMicroUsd: 0 });
    await database.pool.query(
      `update tie_out set covers_to = covers_to - interval '1 day' where sha256 = $1`,
      [id],
    );
    expect(await app.get(TieOuts).covering(month)).toBeUndefined();
    // A period that begins within the month covers it only if no money moved before.
    const begins = (from: string) =>
      database.pool.query('update tie_out set covers_to = $1, covers_from = $2 where sha256 = $3', [
        to,
        from,
        id,
      ]);
    await begins(at.slice(0, 10));
    expect(await app.get(TieOuts).covering(month)).toMatchObject({ id });
    await begins(new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString());
    expect(await app.get(TieOuts).covering(month)).toBeUndefined();
    await database.pool.query(
      'update tie_out set done_at = $1, covers_to = $2, covers_from = $3 where sha256 = $4',
      [whole?.doneAt, whole?.to, whole?.from, id],
    );
  });

  it('[FIN-95] compares what the books have from the first day asked for, before the first line of a report', async () => {
    const since: Date[] = [];
    const facts = {
      recorded: async () => [],
      behind: async (_: unknown, from: Date) => {
        since.push(from);
        return [];
      },
    } as unknown as CashFactQueries;
    const stripe = new TieOutStripe(facts, { now: () => new Date('2026-11-20T12:00:00Z') });
    const report = 'id,created,type,gross,net\ntxn_9,2026-11-10 10:00,charge,9.99,9.40\n';
    await stripe.run(report);
    await stripe.run(report, new Date('2026-11-04T00:00:00Z'));
    await stripe.run(report, new Date('2026-11-12T00:00:00Z'));
    expect(since.map((from) => from.toISOString().slice(0, 10))).toEqual([
      '2026-11-10',
      '2026-11-04',
      '2026-11-10',
    ]);
  });

  it('[FIN-15] lists an account line by line, each with its event and the balance after it', async () => {
    const { well, lines } = await run('accounts', 'stripe:balance');
    expect(well).toBe(true);
    expect(lines.slice(1, 3)).toEqual([
      expect.stringMatching(/^ +1 .* invoice-paid +9\.990000 +9\.990000 /),
      expect.stringMatching(/^ +2 .* stripe-fee +-0\.590000 +9\.400000 /),
    ]);
    expect((await run('accounts', 'user:ada')).lines[1]).toMatch(/^ +1 .* invoice-paid .* 50 +50$/);
    await expect(run('accounts', 'petty-cash')).rejects.toThrow('Not found: petty-cash');
    await expect(run('accounts')).rejects.toThrow(FinanceUsage);
  });

  it('[FIN-30] proves a balance from the log, and says where what is shown differs', async () => {
    const { well, lines } = await run('proof', 'ada');
    expect(well).toBe(true);
    expect(lines.join('\n')).toMatch(/ CreditsGranted .* [0-9a-f]{63,64} .* 50 +50$/m);
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^holds +true$/)]));
    await test.database.pool.query(`update credit_account set balance = 49 where user_id = 'ada'`);
    expect(await run('proof', 'ada')).toMatchObject({
      well: false,
      lines: expect.arrayContaining([expect.stringMatching(/^shownBalance +49$/)]),
    });
    await test.database.pool.query(`update credit_account set balance = 50 where user_id = 'ada'`);
  });

  it('[PAY-09] shows what a creator is owed, and the payouts with their lines', async () => {
    const { database } = test;
    breaksBooks(
      database,
      'a share comes from a sale that took no credits, and is withdrawn before it is released',
    );
    const { eventStore } = booksOn(test);
    const metadata = { actor: 'test', correlationId: 'c' };
    const sale = {
      creatorId: 'junie',
      purchaseId: 'p1',
      sampleId: 's1',
      buyerId: 'ada',
      priceCredits: 2,
      shareMicroUsd: 12_500_000,
    };
    const withdrawal = {
      creatorId: 'junie',
      withdrawalId: 'w1',
      amountMicroUsd: 12_000_000,
      amountUsdCents: 1_200,
      accountId: 'acct_1',
      at: new Date().toISOString(),
      transferGroup: 'g',
      spans: [{ fromMicroUsd: 0, toMicroUsd: 12_000_000 }],
      deductedMicroUsd: 0,
    };
    await eventStore.append(
      [
        { stream: 'purchase-ada.s1', expectedVersion: 0, events: [{ type: 'SamplePurchased', data: sale }] },
        {
          stream: 'payouts-junie',
          expectedVersion: 0,
          events: [{ type: 'WithdrawalRequested', data: withdrawal }],
        },
      ],
      metadata,
    );
    await database.pool.query(
      `insert into payout (withdrawal_id, creator_id, version, account_id, amount_usd_cents, spans, deducted_micro_usd, status, requested_at)
       values ('w1', 'junie', 1, 'acct_1', 1200, $1, 0, 'requested', now()) on conflict do nothing`,
      [JSON.stringify(withdrawal.spans)],
    );
    await database.pool.query(
      `insert into earning (position, creator_id, purchase_id, sample_id, buyer_id, credits_used, share_micro_usd, at)
       values (3, 'junie', 'p1', 's1', 'ada', 2, 12500000, now()) on conflict do nothing`,
    );
    const { well, lines } = await run('creators', 'junie');
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^earned +12\.500000$/),
        expect.stringMatching(/^inTransit +12\.000000$/),
        expect.stringMatching(/^balance +0\.500000$/),
      ]),
    );
    expect(well).toBe(true);
    expect((await run('creators-statements', 'junie')).lines[1]).toMatch(/^w1 /);
    const statement = await run('creators-statements', 'junie', 'w1');
    expect(statement.lines[1]).toMatch(/^sale .* s1 .* 12\.000000/);
    await expect(run('creators', 'nobody')).rejects.toThrow('Not found: nobody');
  });
});
