import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FinanceUsage, finance } from '../../adapters/nest/cli-finance.js';
import type { Tools } from '../../adapters/nest/cli-tools.js';
import type { BalanceTransactionEvent } from '../../domain/shared/balance-movement.js';
import { balanceTransactionStream } from '../../domain/treasury/balance-transaction.js';
import { SystemClock } from '../../application/ports/clock.js';
import { booksOn, paidInvoice } from '../support/books.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
let folder: string;
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
  const on = booksOn(test);
  await on.desk.grantInvoice(grant, { correlationId: 'c' });
  await on.eventStore.append(
    [{ stream: balanceTransactionStream('txn_1'), expectedVersion: 0, events: [charged('txn_1')] }],
    { actor: 'system:payments', correlationId: 'c' },
  );
}, 60_000);
afterAll(async () => {
  await test?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: string, subject?: string): Promise<{ well: boolean; lines: string[] }> {
  const { eventStore } = booksOn(test);
  const tools = { database: test.database, eventStore, clock: new SystemClock() } as unknown as Tools;
  const lines: string[] = [];
  return { well: await finance(tools, { command, subject }, (line) => lines.push(line)), lines };
}

describe('offcut finance', () => {
  it('[FIN-21] closes a month that is over, and says so again', async () => {
    const closed = await run('close', '2020-01');
    expect(closed).toEqual({
      well: true,
      lines: [expect.stringMatching(/^2020-01 is closed at event 0, 0{64}$/)],
    });
    expect(await run('close', '2020-01')).toEqual(closed);
    const now = new Date().toISOString().slice(0, 7);
    expect(await run('close', now)).toEqual({ well: false, lines: [`${now} is not closed: PeriodNotOver`] });
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
});
