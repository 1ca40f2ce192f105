import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ClosePeriodHandler,
  ClosePeriod,
  ClosingChecklist,
} from '../../application/ledger/closing/close-period.js';
import type { Reconcile } from '../../application/ledger/reconcile.js';
import type { TieOuts } from '../../application/ledger/tie-outs/tie-outs.js';
import { Clock } from '../../application/shared/clock.js';
import type { ReadModelProgress } from '../../application/shared/read-model-progress.js';
import { Streams } from '../../application/shared/streams.js';
import { stripeWords } from '../../adapters/vendors/stripe/stripe-words.js';
import { PostgresAlerts } from '../../adapters/ledger/postgres-alerts.js';
import { journal } from '../../adapters/ledger/journal.js';
import { PostgresOpenBookQueries } from '../../adapters/ledger/postgres-open-books.js';
import { boundsOf, periodDecider } from '../../domain/ledger/period.js';
import { CHECKLIST_DONE, booksOn, paidInvoice } from '../support/books.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { purchaseOf, stock } from '../support/stock.js';

class Calendar extends Clock {
  at = new Date('2026-09-10T00:00:00.000Z');
  override now(): Date {
    return this.at;
  }
  moveTo(day: string): void {
    this.at = new Date(day);
  }
}

describe('closing a month', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let periods: ClosePeriodHandler;
  let samples: string[];
  const calendar = new Calendar();
  const buy = (n: number) => on.executor.buy(purchaseOf('ada', [samples[n] as string]));
  const balances = async (asOf: Date) => (await on.books.trialBalance({ asOf, grouped: true })).accounts;
  const endOf = (month: string) => new Date(boundsOf(month).to.getTime() - 1);
  const breaches = async () =>
    (await on.reconcile.run({ files: 0 })).invariants.filter(({ number, holds }) => number === 20 && !holds);

  beforeAll(async () => {
    test = await startTestDatabase();
    breaksBooks(test.database, 'money moves months ago without a provider', [10, 14]);
    on = booksOn(test, undefined, calendar);
    const progress = {
      caughtUp: async () => {
        await on.post();
        return true;
      },
    } as unknown as ReadModelProgress;
    periods = new ClosePeriodHandler(
      new Streams(on.eventStore),
      on.books,
      progress,
      CHECKLIST_DONE,
      calendar,
    );
    samples = await stock(test.database, 9);
    await on.executor.grantInvoice(paidInvoice('ada', { paidAt: calendar.now() }), { correlationId: 'c' });
    await buy(0);
    calendar.moveTo('2026-09-30T23:59:59.999Z');
    await buy(1);
    calendar.moveTo('2026-10-01T00:00:00.000Z');
    await buy(2);
    calendar.moveTo('2026-10-05T00:00:00.000Z');
  });
  afterAll(() => test.close());

  it('[FIN-21] is refused while the month lasts', async () => {
    expect(await periods.execute(new ClosePeriod('2026-10', 'petra'))).toEqual({
      accepted: false,
      rejection: { code: 'PeriodNotOver', endsAt: '2026-11-01T00:00:00.000Z' },
    });
    expect(await on.books.closedPeriods()).toEqual({ items: [] });
  });

  it('[FIN-37] is refused before the books begin, out of order and while a rule does not hold', async () => {
    expect(await periods.execute(new ClosePeriod('2001-05', 'petra'))).toEqual({
      accepted: false,
      rejection: { code: 'PeriodBeforeBooks', firstMonth: '2026-09' },
    });
    calendar.moveTo('2026-11-05T00:00:00.000Z');
    expect(await periods.execute(new ClosePeriod('2026-10', 'petra'))).toEqual({
      accepted: false,
      rejection: { code: 'PeriodOutOfOrder', nextMonth: '2026-09' },
    });
    calendar.moveTo('2026-10-05T00:00:00.000Z');
    const { eventStore, books, reconcile } = on;
    const progress = { caughtUp: async () => true } as unknown as ReadModelProgress;
    const rules = { run: () => reconcile.run({ files: 0 }) } as unknown as Reconcile;
    const checklist = new ClosingChecklist(
      books,
      new PostgresOpenBookQueries(test.database, stripeWords),
      new PostgresAlerts(test.database),
      { covering: async () => undefined } as unknown as TieOuts,
      rules,
      calendar,
    );
    const checked = new ClosePeriodHandler(new Streams(eventStore), books, progress, checklist, calendar);
    expect(await checked.execute(new ClosePeriod('2026-09', 'petra'))).toMatchObject({
      accepted: false,
      rejection: {
        code: 'BooksBroken',
        broken: expect.arrayContaining([
          { number: 10, name: expect.any(String), detail: expect.stringMatching(/^lot invoice-il_/) },
        ]),
      },
    });
    expect(await on.books.closedPeriods()).toEqual({ items: [] });
  });

  it('[FIN-21] stores the balances, the last position and its hash, once, whoever else closes it too', async () => {
    const outcomes = await Promise.all(
      ['petra', 'quinn', 'pia'].map((by) => periods.execute(new ClosePeriod('2026-09', by))),
    );
    expect(outcomes.filter((outcome) => outcome.accepted && outcome.first)).toHaveLength(1);
    const again = await periods.execute(new ClosePeriod('2026-09', 'zoe'));
    if (!again.accepted) throw new Error('refused');
    const last = (await on.eventStore.readAll({ after: 4, limit: 1 }))[0];
    expect(again.period).toMatchObject({ month: '2026-09', lastPosition: 5, hash: last?.hash });
    expect(again.period.balances.find(({ account }) => account === 'credits')?.balance).toBe(-2 * 199_800);
    expect((await on.books.closedPeriods()).items).toMatchObject([
      { month: '2026-09', lastPosition: 5, totalDebitMicroUsd: 9_990_000 + 2 * 119_880 },
    ]);
    expect(await breaches()).toEqual([]);
  });

  it('[FIN-21] posts a fact that comes late into the open month, with its own date', async () => {
    const september = await balances(endOf('2026-09'));
    const late = paidInvoice('ben', { paidAt: new Date('2026-09-29T12:00:00.000Z') });
    await on.executor.grantInvoice(late, { correlationId: 'late' });
    await on.post();
    expect(await balances(endOf('2026-09'))).toEqual(september);
    const { entries } = await on.books.statement('user:ben', { limit: 5 });
    expect(entries[0]?.at).toBe('2026-10-05T00:00:00.000Z');
    expect(entries[0]?.event.data.grantedAt).toBe('2026-09-29T12:00:00.000Z');
    expect(await breaches()).toEqual([]);
  });

  it.each([
    [
      'a line put into it',
      `insert into journal_line values (99, 0, '2026-09-15', 'promotion', 'promotions', 'usd', 5), (99, 1, '2026-09-15', 'promotion', 'credits', 'usd', -5)`,
    ],
    ['a line moved out of it', `update journal_line set at = '2026-10-02' where position = 1`],
    ['an amount changed', `update journal_line set delta = delta * 2 where position = 2`],
  ])('[FIN-21, FIN-22] names %s', async (_, statement) => {
    const { pool } = test.database;
    await pool.query(`create table kept as table journal_line`);
    await pool.query(statement);
    expect((await breaches())[0]?.detail).toMatch(/2026-09/);
    await pool.query(`delete from journal_line`);
    await pool.query(`insert into journal_line select * from kept`);
    await pool.query(`drop table kept`);
  });

  it('never stores books that do not balance', () => {
    const balances = [{ account: 'tax', commodity: 'usd', balance: -5 }];
    const command = {
      type: 'ClosePeriod',
      month: '2026-09',
      by: 'petra',
      lastPosition: 1,
      hash: 'a',
      balances,
      now: '2026-10-01T00:00:00.000Z',
      firstMonth: '2026-09',
      closedMonths: [],
      broken: [],
      undone: [],
    } as const;
    expect(() => periodDecider.decide(command, periodDecider.initialState)).toThrow('off by -5 usd');
  });

  it('[FIN-501] posts a payment of an open month at its own date, marks that of a closed one late, and rebuilds the same', async () => {
    const september = await balances(endOf('2026-09'));
    calendar.moveTo('2026-11-02T00:00:00.000Z');
    const [own, late] = ['2026-10-31T23:59:00.000Z', '2026-09-30T23:59:00.000Z'];
    for (const day of [own, late])
      await on.executor.grantInvoice(paidInvoice(`of-${day.slice(0, 10)}`, { paidAt: new Date(day) }), {
        correlationId: 'c',
      });
    await on.post();
    const timesOf = async (day: string) =>
      (await on.books.statement(`user:of-${day.slice(0, 10)}`, { limit: 2 })).entries.map(({ at }) => at);
    expect([await timesOf(own), await timesOf(late)]).toEqual([[own], [calendar.now().toISOString()]]);
    expect(await balances(endOf('2026-09'))).toEqual(september);
    const { items } = await new PostgresOpenBookQueries(test.database, stripeWords).lateFacts({ limit: 1 });
    expect(items).toMatchObject([{ month: '2026-09', at: late, postedAt: calendar.now().toISOString() }]);
    const lines = async () =>
      (await test.database.pool.query(`select * from journal_line order by 1, 2`)).rows;
    const before = await lines();
    await on.projector.rebuild(journal);
    expect(await lines()).toEqual(before);
    expect(await breaches()).toEqual([]);
  });
});
