import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beancountAccount, exportJournal } from '../../application/ledger/export.js';
import { journal } from '../../adapters/ledger/journal.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { booksOn, paidInvoice } from '../support/books.js';
import { addedByBeancount, addedByHledger, itWith } from '../support/plain-text-accounting.js';
import { grantPromotional, purchaseOf, stock } from '../support/stock.js';

const LATER = new Date(Date.now() + 86_400_000);

describe('the books of a month', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let samples: string[];
  /** Moments before all commands, between the grants and the purchases, and after all. */
  const moments: Date[] = [];
  const moment = async () => {
    await new Promise((resolve) => setTimeout(resolve, 15));
    moments.push(new Date());
    await new Promise((resolve) => setTimeout(resolve, 15));
  };

  beforeAll(async () => {
    test = await startTestDatabase();
    on = booksOn(test);
    samples = await stock(test.database, 60, { creatorId: 'junie' });
    await moment();
    await on.executor.grantInvoice(paidInvoice('ada', { taxMicroUsd: 990_000 }), { correlationId: 'c' });
    await on.executor.grantInvoice(paidInvoice('ben'), { correlationId: 'c' });
    await grantPromotional(on.executor, 'ada', 3);
    await moment();
    // Three of them with promotional credits, which have no value.
    for (const sample of samples.slice(0, 10)) await on.executor.buy(purchaseOf('ada', [sample]));
    await on.executor.buy(purchaseOf('ben', samples.slice(0, 50)));
    await on.executor.buy(purchaseOf('ben', [samples[0] as string]));
    await on.executor.buy(purchaseOf('junie', [samples[0] as string]));
    const fee = {
      transactionId: 'txn_1',
      kind: 'charge',
      about: 'in_1',
      grossMicroUsd: 9_990_000,
      feeMicroUsd: 590_000,
      at: new Date().toISOString(),
    };
    await on.eventStore.append(
      [
        {
          stream: 'balance-txn_1',
          expectedVersion: 0,
          events: [{ type: 'BalanceTransactionRecorded', data: fee }],
        },
      ],
      { actor: 'system:payments', correlationId: 'c' },
    );
    await on.post();
    await moment();
  });
  afterAll(() => test.close());

  const accounts = async (asOf: Date, grouped = false) => {
    const { accounts } = await on.books.trialBalance({ asOf, grouped });
    return Object.fromEntries(accounts.map((row) => [row.account, row.debitMicroUsd - row.creditMicroUsd]));
  };

  it('invoices debit the balance at the provider, and credit tax and what is deferred', async () => {
    expect(await accounts(moments[1] as Date, true)).toMatchObject({
      'stripe:balance': 19_980_000,
      tax: -990_000,
      'deferred:*': -18_990_000,
      credits: 0,
    });
  });

  it('[FIN-03, FIN-04] purchases recognise what the credits were worth, and give the creator 60 percent of each', async () => {
    const after = await accounts(LATER);
    const ada = Math.floor((9_000_000 * 7) / 50);
    expect(after.credits).toBe(-(ada + 9_990_000));
    expect(Object.keys(after).filter((name) => name.startsWith('deferred:'))).toHaveLength(1);
    const events = await on.eventStore.readAll({ after: 0, limit: 1_000, types: ['SamplePurchased'] });
    const shares = events.map(({ data }) => data as { valueMicroUsd: number; shareMicroUsd: number });
    expect(
      shares.every(({ valueMicroUsd, shareMicroUsd }) => shareMicroUsd === Math.floor(valueMicroUsd * 0.6)),
    ).toBe(true);
    const earned = shares.reduce((sum, { shareMicroUsd }) => sum + shareMicroUsd, 0);
    expect([after.royalties, after['creator:junie']]).toEqual([earned, -earned]);
  });

  it('[FIN-15] balances to zero at every instant, in money and in credits', async () => {
    const { rows } = await test.database.pool.query(`select distinct at from journal_line`);
    const instants = [...(rows as { at: Date }[]).map(({ at }) => at), ...moments, LATER];
    for (const asOf of instants) {
      const { totals, credits } = await on.books.trialBalance({ asOf, grouped: false });
      expect(totals.debitMicroUsd).toBe(totals.creditMicroUsd);
      expect(credits.totals.debitCredits).toBe(credits.totals.creditCredits);
    }
    expect((await on.books.trialBalance({ asOf: moments[0] as Date, grouped: false })).accounts).toEqual([]);
  });

  it('[FIN-15] a statement runs from line to line and names the event behind each, page by page', async () => {
    const lines: { balanceMicroUsd: number; deltaMicroUsd: number; event: { type: string } }[] = [];
    let cursor: string | undefined;
    do {
      const page = await on.books.statement('creator:junie', { limit: 7, cursor });
      expect(page.balanceMicroUsd).toBe((await accounts(LATER))['creator:junie']);
      lines.push(...page.entries);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    const newest = await on.books.statement('creator:junie', { limit: 7, order: 'newest' });
    const { nextCursor: cursorBack } = newest;
    const before = await on.books.statement('creator:junie', {
      limit: 7,
      order: 'newest',
      cursor: cursorBack ?? '',
    });
    expect([...newest.entries, ...before.entries]).toEqual(lines.toReversed().slice(0, 14));
    let running = 0;
    for (const line of lines) expect(line.balanceMicroUsd).toBe((running += line.deltaMicroUsd));
    expect(running).toBe((await accounts(LATER))['creator:junie']);
    expect(lines).toHaveLength(57);
    expect(new Set(lines.map(({ event }) => event.type))).toEqual(new Set(['SamplePurchased']));
  });

  it('[FIN-15] a statement of part of the time keeps the balance that was there before', async () => {
    const { entries } = await on.books.statement('user:ada', { from: moments[1], limit: 3 });
    expect(entries.map(({ deltaCredits, balanceCredits }) => [deltaCredits, balanceCredits])).toEqual([
      [-1, 52],
      [-1, 51],
      [-1, 50],
    ]);
    const none = await on.books.statement('user:ada', { from: LATER, limit: 3 });
    expect(none).toMatchObject({ balanceCredits: 43, entries: [], nextCursor: null });
    expect(await on.books.statement('suspense', { limit: 3 })).toMatchObject({
      balanceMicroUsd: 0,
      entries: [],
    });
  });

  it('[FIN-16] rolls credits forward, per user and in total', async () => {
    const flat = { returned: 0, revoked: 0, adjusted: 0 };
    expect(await on.books.rollforward({})).toEqual({
      opening: 0,
      granted: 103,
      spent: 60,
      ...flat,
      closing: 43,
    });
    expect(await on.books.rollforward({ userId: 'ada', from: moments[1] })).toEqual({
      opening: 53,
      granted: 0,
      spent: 10,
      ...flat,
      closing: 43,
    });
    expect(await on.books.rollforward({ userId: 'ben', to: moments[1] })).toEqual({
      opening: 0,
      granted: 50,
      spent: 0,
      ...flat,
      closing: 50,
    });
    expect(await on.books.rollforward({ userId: 'nobody' })).toMatchObject({ opening: 0, closing: 0 });
  });

  it('[FIN-18] applying events twice changes nothing, a rebuild gives the same lines, drift names a line tampered with', async () => {
    const lines = async () =>
      (await test.database.pool.query(`select * from journal_line order by 1, 2`)).rows;
    const before = await lines();
    const events = await on.eventStore.readAll({ after: 0, limit: 10_000, types: journal.types });
    await test.database.transaction((client) => journal.apply(client, events));
    expect(await lines()).toEqual(before);
    await test.database.pool.query(
      `update journal_line set delta = delta + 1 where position = 1 and line = 0`,
    );
    const drift = async () =>
      (await on.projector.drift(journal)).map(({ table, rows }) => `${table} ${rows}`);
    const [tampered, ...others] = await drift();
    expect([tampered, others.every((table) => table.endsWith(' 0'))]).toEqual(['journal_line 2', true]);
    await on.projector.rebuild(journal);
    expect(await lines()).toEqual(before);
    expect((await drift()).every((table) => table.endsWith(' 0'))).toBe(true);
  });

  const exported = async (format: 'hledger' | 'beancount' | 'csv' | 'json') => {
    let text = '';
    for await (const part of exportJournal(format, on.books, {})) text += part;
    return text;
  };
  const expected = async () => {
    const { rows } = await test.database.pool.query(
      `select account, sum(delta)::bigint as sum from journal_line group by 1`,
    );
    return Object.fromEntries(
      (rows as { account: string; sum: number }[])
        .filter(({ sum }) => sum !== 0)
        .map(({ account, sum }) => [account, sum]),
    );
  };
  const added = (rows: [string, number][]) => {
    const sums = new Map<string, number>();
    for (const [account, amount] of rows) sums.set(account, (sums.get(account) ?? 0) + amount);
    return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));
  };

  it('[FIN-20] adding the exported files again gives every balance', async () => {
    const hledger = [
      ...(await exported('hledger')).matchAll(/^ {4}(\S+) {2}(-?)(\d+)(?:\.(\d{6}))? (?:USD|CR)$/gm),
    ];
    const lines = hledger.map(([, account, sign, whole, parts]): [string, number] => [
      account as string,
      Number(`${sign}${whole}${parts ?? ''}`),
    ]);
    expect(added(lines)).toEqual(await expected());
    const [head, ...rows] = (await exported('csv'))
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(','));
    expect(head?.slice(6)).toEqual([
      'account',
      'debit_micro_usd',
      'credit_micro_usd',
      'debit_credits',
      'credit_credits',
      'currency',
      'debit_micro',
      'credit_micro',
    ]);
    const cells = rows.map((row): [string, number] => [
      row[6] as string,
      Number(row[7]) - Number(row[8]) + Number(row[9]) - Number(row[10]),
    ]);
    expect(added(cells)).toEqual(await expected());
    const { lines: json } = JSON.parse(await exported('json')) as {
      lines: { account: string; delta: number }[];
    };
    expect(added(json.map(({ account, delta }) => [account, delta]))).toEqual(await expected());
  });

  itWith('hledger')(
    '[FIN-20, FIN-80] hledger finds the export right, strictly, with every balance',
    async () => {
      expect(added([...addedByHledger(await exported('hledger'))])).toEqual(await expected());
    },
  );

  itWith('bean-check')('[FIN-20, FIN-80] beancount finds the export right, with every balance', async () => {
    const named = Object.entries(await expected()).map(([account, sum]) => [beancountAccount(account), sum]);
    expect(added([...addedByBeancount(await exported('beancount'))])).toEqual(Object.fromEntries(named));
  });

  it('[FIN-20] writes no cell that a spreadsheet would run', async () => {
    const line = {
      position: 1,
      line: 0,
      at: new Date(0),
      fact: '=1+1',
      account: '+cmd|x',
      commodity: 'usd',
      delta: -5,
      stream: '@a,"b"',
      type: ' -x',
    } as const;
    async function* pages() {
      yield [line];
    }
    let text = '';
    for await (const part of exportJournal('csv', { lines: pages, accounts: pages as never }, {}))
      text += part;
    expect(text.split('\r\n')[1]).toBe(
      `1,0,1970-01-01T00:00:00.000Z,"'@a,""b""",' -x,'=1+1,'+cmd|x,0,5,0,0,,0,0`,
    );
  });
});
