import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BookQueries, OpenBookQueries } from '../../application/ledger/queries.js';
import { readConfig } from '../../bootstrap/config.js';
import type { Deciding } from '../../cli/finance/finance-closing.js';
import { FinanceUsage, finance } from '../../cli/finance/finance.command.js';
import { CommandRefused } from '../../cli/refused.js';
import { openTools, type Tools } from '../../cli/tools.js';
import { boundsOf, periodDecider } from '../../domain/ledger/period.js';
import { balanceTransactionDecider } from '../../domain/payments/balance-transaction.js';
import { booksOn } from '../support/books.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { grantRoles } from '../support/staff.js';

const MONTH = '2026-09';
const PETRA = 'petra@offcut.test';
let test: TestDatabase;
let folder: string;
let tools: Tools;

beforeAll(async () => {
  test = await startTestDatabase();
  breaksBooks(test.database, 'a movement of months ago waits in suspense', [14, 15, 20]);
  folder = mkdtempSync(join(tmpdir(), 'offcut-decisions-'));
  tools = await openTools(readConfig({ NODE_ENV: 'test', DATA_DIR: folder, DATABASE_URL: test.url }));
  for (const name of ['petra', 'adam'])
    await test.database.db
      .insertInto('user_account')
      .values({ user_id: name, email: `${name}@offcut.test`, display_name: name, created_at: new Date() })
      .execute();
  await grantRoles(test.database, 'petra', 'finance');
  await grantRoles(test.database, 'adam', 'admin');
  const { from } = boundsOf(MONTH);
  const { eventStore } = booksOn(test, undefined, { now: () => from });
  const held = { transactionId: 'txn_1', item: 'tu_1', amountMicroUsd: 7_700_000, feeMicroUsd: 0 };
  const data = { ...held, reason: 'topup', at: from.toISOString() };
  await eventStore.append(
    [
      {
        stream: balanceTransactionDecider.streamOf('txn_1'),
        expectedVersion: 0,
        events: [{ type: 'MovementHeldInSuspense', data }],
      },
    ],
    { actor: 'system:payments', correlationId: 'c' },
  );
});
afterAll(async () => {
  await tools?.close();
  await test?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: string, given: Deciding): Promise<{ well: boolean; lines: string[] }> {
  const lines: string[] = [];
  return { well: await finance(tools, { command, ...given }, (line) => lines.push(line)), lines };
}
const item = async () => (await tools.app.get(OpenBookQueries).clearable(new Date())).items[0];
const REASON = 'A top-up by hand, case 8812';

describe('[FIN-94] decisions on the books by command', () => {
  it('are made by somebody of finance, named by address', async () => {
    for (const [by, message] of [
      [undefined, '--by <address> is required'],
      ['adam@offcut.test', 'does not hold the role finance'],
      ['nobody@offcut.test', 'does not hold the role finance'],
    ] as const)
      for (const [command, subject] of [
        ['note', 'tu_1'],
        ['reopen', MONTH],
      ] as const) {
        const asked = run(command, { subject, reason: REASON, ...(by && { by }) });
        await expect(asked).rejects.toThrow(CommandRefused);
        await expect(asked).rejects.toThrow(message);
      }
  });

  it('explain an item in suspense', async () => {
    const note = { subject: 'tu_1', by: PETRA, reason: REASON };
    await expect(run('note', { ...note, subject: 'tu_2' })).rejects.toThrow(
      'nothing about tu_2 can be cleared',
    );
    await expect(run('note', { subject: 'tu_1', by: PETRA })).rejects.toThrow(FinanceUsage);
    expect(await run('note', note)).toEqual({ well: true, lines: ['tu_1 is explained.'] });
    expect((await item())?.note).toMatchObject({ text: REASON, byName: 'petra' });
  });

  it('ask a second person for an entry that clears it', async () => {
    const entry = {
      subject: 'tu_1',
      by: PETRA,
      reason: REASON,
      proof: 'Statement 11, line 4',
      as: 'forfeited',
    };
    await expect(run('adjust', { ...entry, amount: 'much' })).rejects.toThrow(FinanceUsage);
    await expect(run('adjust', { ...entry, as: 'credits' })).rejects.toThrow(FinanceUsage);
    expect((await item())?.requestId).toBeNull();
    expect(await run('adjust', { ...entry, amount: '7.70' })).toEqual({
      well: true,
      lines: ['The entry is posted once a second person agrees, at /finance/approvals.'],
    });
    expect(await item()).toMatchObject({ requestId: expect.any(String), amountMicroUsd: 7_700_000 });
  });

  it('ask a second person to reopen the month that was closed last', async () => {
    const asked = { subject: MONTH, by: PETRA, reason: 'The fees of September came late' };
    const early = await run('reopen', asked);
    expect([early.well, early.lines]).toEqual([false, [expect.stringMatching(/^Period\w+$/)]]);
    const at = new Date().toISOString();
    const figures = await tools.app.get(BookQueries).atEndOf(boundsOf(MONTH).to);
    const closed = { type: 'PeriodClosed', data: { month: MONTH, by: 'petra', at, ...figures } };
    await tools.eventStore.append(
      [{ stream: periodDecider.streamOf(MONTH), expectedVersion: 0, events: [closed] }],
      { actor: 'petra', correlationId: MONTH },
    );
    expect(await run('reopen', asked)).toEqual({
      well: true,
      lines: [`${MONTH} is reopened once a second person agrees, at /finance/approvals.`],
    });
    // The month stays closed until then.
    expect((await tools.app.get(BookQueries).turn()).closedMonths).toEqual([MONTH]);
  });
});
