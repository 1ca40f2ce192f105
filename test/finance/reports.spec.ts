import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MarginMonths } from '../../adapters/ledger/reports/margin-months.js';
import { PostgresLedgerReports } from '../../adapters/ledger/reports/postgres-ledger-reports.js';
import type { DeferredMonth } from '../../application/ledger/reports/report-contract.js';
import {
  MonthJournal,
  type ReportQueries,
  summaryOf,
} from '../../application/ledger/reports/month-journal.js';
import { MonthlyStatements, partsOf } from '../../application/ledger/reports/monthly-statement.js';
import { Clock } from '../../application/shared/clock.js';
import { Streams } from '../../application/shared/streams.js';
import { accountMapDecider, MAPPED_ACCOUNTS } from '../../domain/ledger/account-map.js';
import type { CreditEvent, LotSegment } from '../../domain/credits/credit-account.js';
import { chartLineOf } from '../../domain/ledger/accounts.js';
import { boundsOf, endOf } from '../../domain/ledger/period.js';
import type { PurchaseEvent } from '../../domain/purchases/purchase.js';
import { PRODUCT_IDS } from '../../domain/subscriptions/products.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { booksOn } from '../support/books.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { runHistory } from './model/history.js';

const STEPS = 500;
const DAY_MS = 86_400_000;

class Calendar extends Clock {
  at = new Date();
  override now(): Date {
    return this.at;
  }
}

const monthBefore = (month: string): string =>
  new Date(boundsOf(month).from.getTime() - 1).toISOString().slice(0, 7);

/** A long history, in which each event has its own time. */
describe('reports of the books', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let reports: PostgresLedgerReports;
  const calendar = new Calendar();
  const { log } = runHistory('reports 17', STEPS, new Map()).company;
  const last = new Date(log.at(-1)?.at ?? 0);

  beforeAll(async () => {
    test = await startTestDatabase();
    breaksBooks(test.database, 'a history is written past provider and executor', [
      3,
      4,
      6,
      7,
      8,
      10,
      14,
      15,
      20,
      'credits',
      'payouts',
      'earnings',
      'owned-samples',
      'splits',
      'promotion-codes',
    ]);
    on = booksOn(test, undefined, calendar);
    reports = new PostgresLedgerReports(test.database);
    const versions = new Map<string, number>();
    for (const { stream, type, data, at } of log) {
      calendar.at = new Date(at);
      const expectedVersion = versions.get(stream) ?? 0;
      versions.set(stream, expectedVersion + 1);
      await on.eventStore.append([{ stream, expectedVersion, events: [{ type, data: { ...data } }] }], {
        actor: 'test',
        correlationId: 'test',
      });
    }
    await on.post();
  });
  afterAll(() => test.close());

  const balanceAt = async (asOf: Date, name: string) => {
    const { accounts } = await on.books.trialBalance({ asOf, grouped: true });
    const found = accounts.find(({ account }) => account === name);
    return (found?.creditMicroUsd ?? 0) - (found?.debitMicroUsd ?? 0);
  };

  it('[FIN-100] deferred revenue adds up month by month, and is what the trial balance has at the end of each', async () => {
    const { items } = await reports.deferred(last);
    expect(items.length).toBeGreaterThan(3);
    let opening = 0;
    for (const month of items) {
      expect(month.openingMicroUsd).toBe(opening);
      opening = month.closingMicroUsd;
      expect(sumOf(month)).toBe(month.closingMicroUsd);
      expect(await balanceAt(endOf(month.month), 'deferred:*')).toBe(month.closingMicroUsd);
    }
    const whole = (step: keyof DeferredMonth) => items.reduce((sum, month) => sum + Number(month[step]), 0);
    // Every kind of movement occurs. Value that is neither returned nor spent is a separate income.
    for (const step of [
      'invoicedMicroUsd',
      'returnedMicroUsd',
      'recognisedMicroUsd',
      'refundedMicroUsd',
      'chargedBackMicroUsd',
      'forfeitedMicroUsd',
    ] as const)
      expect([step, whole(step) > 0]).toEqual([step, true]);
    expect(whole('recognisedMicroUsd') - whole('returnedMicroUsd')).toBe(await balanceAt(last, 'credits'));
  });

  it('[FIN-101] unspent credits have the age of their lot, also once they came back; together they are what is deferred', async () => {
    for (const asOf of [last, boundsOf(last.toISOString().slice(0, 7)).from]) {
      const ageing = await reports.ageing(asOf);
      expect(ageing.items.map(({ age }) => age)).toEqual(['0–30', '31–90', '91–180', '181–365', 'over 365']);
      expect(ageing.items).toEqual(agesOf(asOf));
      const total = ageing.items.reduce((sum, { totalMicroUsd }) => sum + totalMicroUsd, 0);
      expect(total).toBe(await balanceAt(asOf, 'deferred:*'));
      expect(ageing.items.filter(({ lots }) => lots > 0).length).toBeGreaterThan(1);
    }
  });

  it('[FIN-104] what each plan earned and cost sums to income and expenses of the books, month by month', async () => {
    const { items } = await reports.margin({});
    const months = [...new Set(items.map(({ month }) => month))];
    expect(months.length).toBeGreaterThan(3);
    const earnedUntil = async (month: string) => {
      const { accounts } = await on.books.trialBalance({ asOf: endOf(month), grouped: true });
      return accounts
        .filter(({ kind }) => kind === 'income' || kind === 'expense')
        .reduce((sum, { creditMicroUsd, debitMicroUsd }) => sum + creditMicroUsd - debitMicroUsd, 0);
    };
    let earned = 0;
    for (const month of months) {
      const plans = items.filter((item) => item.month === month);
      for (const { month: _, plan, marginMicroUsd, ...parts } of plans)
        expect([plan, Object.values(parts).reduce((sum, part) => sum + part, 0)]).toEqual([
          plan,
          marginMicroUsd,
        ]);
      earned += plans.reduce((sum, { marginMicroUsd }) => sum + marginMicroUsd, 0);
      expect([month, earned]).toEqual([month, await earnedUntil(month)]);
    }
    expect((await reports.margin({ from: months[1], to: months[2] })).items).toEqual(
      items.filter(({ month }) => month === months[1] || month === months[2]),
    );
    // Costs without a lot or purchase belong to no product: fees of transfers and payouts, debts written off.
    const none = items.filter(({ plan }) => plan === 'none');
    expect(new Set(items.map(({ plan }) => plan))).toEqual(new Set([...PRODUCT_IDS, 'given', 'none']));
    expect(none.length).toBeGreaterThan(0);
  });

  it('[FIN-130] sums kept up to a week ago, slice by slice, make the same report; what the journal does not have is added up anew', async () => {
    const { pool } = test.database;
    const upto = async () => (await pool.query('select upto from margin_progress')).rows[0].upto;
    const whole = await reports.margin({});
    const some = { from: whole.items[0]?.month, to: whole.items[0]?.month };
    const month = await reports.margin(some);
    const margins = new MarginMonths(test.database, { now: () => new Date(calendar.at.getTime()) });
    for (const slice of [7, 30]) {
      await margins.settle(slice);
      expect(await upto()).toBeGreaterThan(log.length / 4);
      expect(await upto()).toBeLessThan(log.length);
      expect(await reports.margin({})).toEqual(whole);
      expect(await reports.margin(some)).toEqual(month);
      // A wrong sum stays unnoticed until the next night.
      await pool.query(`update margin_month set gain = gain + 1 where account = 'credits'`);
    }
    expect(await reports.margin({})).not.toEqual(whole);
    await margins.settle();
    expect(await reports.margin({})).toEqual(whole);
    await pool.query('delete from margin_month');
    await pool.query('update margin_progress set upto = 0');
  });

  it('[FIN-104] every purchase counts for the plans of its lots, as its events tell', async () => {
    const planOf = new Map<string, string>();
    const spent = new Map<string, LotSegment[]>();
    const expected = new Map<string, { recognised: number; shares: number }>();
    const of = (plan = 'none') => {
      const sums = expected.get(plan) ?? { recognised: 0, shares: 0 };
      expected.set(plan, sums);
      return sums;
    };
    /** Divides an amount among the plans by cumulative weights, rounded down. */
    const divide = (purchaseId: string, amount: number, sign: 1 | -1) => {
      const weights = new Map<string, number>();
      for (const { lotId, valueMicroUsd } of spent.get(purchaseId) ?? [])
        weights.set(planOf.get(lotId) ?? '', (weights.get(planOf.get(lotId) ?? '') ?? 0) + valueMicroUsd);
      const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
      let [upto, given] = [0, 0];
      for (const [plan, weight] of [...weights].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        upto += weight;
        const now = whole > 0 ? Number((BigInt(amount) * BigInt(upto)) / BigInt(whole)) : 0;
        of(plan).shares -= sign * (now - given);
        given = now;
      }
    };
    for (const event of log as unknown as (CreditEvent | PurchaseEvent)[])
      if (event.type === 'CreditsGranted') {
        const { lotId, invoice, returned, valueMicroUsd } = event.data;
        const own = invoice ? (invoice.product ?? invoice.plan ?? 'none') : returned ? undefined : 'given';
        planOf.set(lotId, own ?? planOf.get(returned?.lotId ?? '') ?? 'none');
        if (returned) of(planOf.get(lotId)).recognised -= valueMicroUsd;
      } else if (event.type === 'CreditsSpent') {
        spent.set(event.data.purchaseId, event.data.segments);
        for (const { lotId, valueMicroUsd } of event.data.segments)
          of(planOf.get(lotId)).recognised += valueMicroUsd;
      } else if (event.type === 'SamplePurchased') divide(event.data.purchaseId, event.data.shareMicroUsd, 1);
      else if (event.type === 'PurchaseReturned') divide(event.data.purchaseId, event.data.shareMicroUsd, -1);
      else if (event.type === 'ShareTakenBack')
        of(planOf.get(event.data.lotId)).shares += event.data.shareMicroUsd;
    const { items } = await reports.margin({});
    for (const [plan, sums] of expected) {
      const whole = (part: 'recognisedMicroUsd' | 'sharesMicroUsd') =>
        items.filter((item) => item.plan === plan).reduce((sum, item) => sum + item[part], 0);
      expect([plan, whole('recognisedMicroUsd'), whole('sharesMicroUsd')]).toEqual([
        plan,
        sums.recognised,
        sums.shares || 0,
      ]);
    }
    // Most of it was returned later, but its own month earned it.
    const earning = PRODUCT_IDS.filter((id) =>
      items.some(
        ({ plan, recognisedMicroUsd, sharesMicroUsd }) =>
          plan === id && recognisedMicroUsd > 0 && sharesMicroUsd < 0,
      ),
    );
    expect(earning.length).toBeGreaterThan(1);
  });

  it('[FIN-102] a closed month is one balanced entry for QuickBooks and Xero, and all months sum to the trial balance', async () => {
    const journal = new MonthJournal(reports, streams());
    // Money may have moved before the first deferred value.
    const months = Array.from(new Set(log.map(({ at }) => new Date(at).toISOString().slice(0, 7)))).sort();
    const sums = new Map<string, number>();
    const amounts: string[] = [];
    for (const month of months) {
      expect(await journal.of(month, 'xero', false)).toMatchObject({ rejection: { code: 'PeriodIsOpen' } });
      const draft = await journal.of(month, 'xero', true);
      if (!draft.accepted) throw new Error(draft.rejection.code);
      const [heads, ...rows] = draft.text.trimEnd().split('\r\n');
      expect(heads).toBe('*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount');
      for (const row of rows) {
        const [narration, date = '', about = '', , , amount = ''] = row.split(',');
        expect([narration, date.slice(3)]).toEqual([
          `DRAFT Offcut ${month} (OFFCUT-${month})`,
          `${month.slice(5)}/${month.slice(0, 4)}`,
        ]);
        const line = chartLineOf(about);
        sums.set(line, (sums.get(line) ?? 0) + Number(amount.replace('.', '')));
        amounts.push(amount);
      }
      expect([...sums.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
    }
    // Negative amounts are numbers too, not text.
    expect(amounts.every((amount) => /^-?\d+\.\d\d$/.test(amount))).toBe(true);
    expect(amounts.some((amount) => amount.startsWith('-'))).toBe(true);
    const { accounts } = await on.books.trialBalance({ asOf: endOf(months.at(-1) ?? ''), grouped: true });
    for (const { account, debitMicroUsd, creditMicroUsd } of accounts) {
      const off = (sums.get(account) ?? 0) * 10_000 - (debitMicroUsd - creditMicroUsd);
      expect([account, Math.abs(off) <= 10_000]).toEqual([account, true]);
    }
  });

  it('[FIN-711] states the profit and loss and the balance sheet of each month, equal to the trial balance', async () => {
    const statements = new MonthlyStatements(reports, streams());
    const months = Array.from(new Set(log.map(({ at }) => new Date(at).toISOString().slice(0, 7)))).sort();
    let total = 0;
    let before = { result: 0, closing: 0 };
    for (const month of months) {
      const { profitAndLoss, balanceSheet, isClosed } = await statements.of(month);
      const sum = (kind: string) =>
        balanceSheet.lines
          .filter((line) => line.kind === kind)
          .reduce((amount, { amountMicroUsd }) => amount + amountMicroUsd, 0);
      expect(sum('asset')).toBe(sum('liability') + sum('equity') + balanceSheet.resultMicroUsd);
      total += profitAndLoss.resultMicroUsd;
      expect([isClosed, balanceSheet.resultMicroUsd, balanceSheet.resultBeforeMicroUsd]).toEqual([
        false,
        total,
        before.closing,
      ]);
      if (month !== months[0] && months.includes(monthBefore(month)))
        expect(profitAndLoss.resultBeforeMicroUsd).toBe(before.result);
      before = { result: profitAndLoss.resultMicroUsd, closing: total };
      const { accounts } = await on.books.trialBalance({ asOf: endOf(month), grouped: true });
      for (const { account, amountMicroUsd, kind } of balanceSheet.lines) {
        const row = accounts.find((each) => each.account === account);
        const debit = (row?.debitMicroUsd ?? 0) - (row?.creditMicroUsd ?? 0);
        expect([account, amountMicroUsd]).toEqual([account, kind === 'asset' ? debit : -debit || 0]);
      }
    }
    expect(total).not.toBe(0);
  });

  it('[FIN-102] exported again it is the same, and closed again it has another number', async () => {
    const journal = new MonthJournal(reports, streams());
    const [{ month } = { month: '' }] = (await reports.deferred(last)).items;
    const happens = (version: number, type: string, more = {}) =>
      on.eventStore.append(
        [
          {
            stream: `period-${month}`,
            expectedVersion: version,
            events: [{ type, data: { month, by: 'petra', at: last.toISOString(), ...more } }],
          },
        ],
        { actor: 'petra', correlationId: 'test' },
      );
    const closed = { lastPosition: 1, hash: '0'.repeat(64), balances: [] };
    await happens(0, 'PeriodSealed');
    await happens(1, 'PeriodClosed', closed);
    const first = await journal.of(month, 'quickbooks', false);
    if (!first.accepted) throw new Error(first.rejection.code);
    expect(await journal.of(month, 'quickbooks', false)).toEqual(first);
    expect(first.name).toBe(`OFFCUT-${month}-quickbooks`);
    const [heads, ...rows] = first.text.trimEnd().split('\r\n');
    expect(heads).toBe('JournalNo,JournalDate,AccountName,Debits,Credits,Description');
    const day = endOf(month).toISOString().slice(8, 10);
    expect(rows.find((row) => row.includes('Deferred revenue'))).toMatch(
      new RegExp(
        `^OFFCUT-${month},${month.slice(5)}/${day}/${month.slice(0, 4)},Deferred revenue,.*Offcut ${month} deferred:\\*$`,
      ),
    );
    await happens(2, 'PeriodReopened', { approvedBy: 'quentin', approvalId: 'a1', remarkId: 'r1' });
    expect(await journal.of(month, 'quickbooks', false)).toMatchObject({
      rejection: { code: 'PeriodIsOpen' },
    });
    await happens(3, 'PeriodSealed');
    await happens(4, 'PeriodClosed', closed);
    expect(await journal.of(month, 'quickbooks', false)).toMatchObject({
      name: `OFFCUT-${month}-2-quickbooks`,
    });
  });

  const streams = () => new Streams(on.eventStore);

  /** Computes the ages from the log in the simplest way. */
  function agesOf(asOf: Date) {
    const lots = new Map<string, { kind: unknown; grantedAt: string; worth: number }>();
    for (const { at, type, data, entry } of log) {
      if (at > asOf.getTime()) break;
      if (type === 'CreditsGranted')
        lots.set(`deferred:${String(data['lotId'])}`, {
          kind: data['kind'],
          grantedAt: String(data['grantedAt']),
          worth: 0,
        });
      for (const { account, delta } of entry?.postings ?? []) {
        const lot = lots.get(account);
        if (lot) lot.worth -= delta;
      }
    }
    const open = [...lots.values()].filter(({ worth }) => worth !== 0);
    return [0, 31, 91, 181, 366].map((from, at, froms) => {
      const of = open.filter(({ grantedAt }) => {
        const days = Math.floor((asOf.getTime() - Date.parse(grantedAt)) / DAY_MS);
        return days >= from && days < (froms[at + 1] ?? Infinity);
      });
      const worth = (kind: string) =>
        of.filter((lot) => lot.kind === kind).reduce((sum, lot) => sum + lot.worth, 0);
      return {
        age: ['0–30', '31–90', '91–180', '181–365', 'over 365'][at],
        lots: of.length,
        paidMicroUsd: worth('paid'),
        promotionalMicroUsd: worth('promotional'),
        totalMicroUsd: worth('paid') + worth('promotional'),
      };
    });
  }
});

const sumOf = (month: DeferredMonth): number =>
  month.openingMicroUsd +
  month.invoicedMicroUsd +
  month.promotionsMicroUsd +
  month.returnedMicroUsd -
  month.recognisedMicroUsd -
  month.refundedMicroUsd -
  month.chargedBackMicroUsd -
  month.forfeitedMicroUsd +
  month.adjustedMicroUsd;

it('[FIN-102] what is less than a cent waits until it is one, and the entry balances', () => {
  const side = (from: number, to: number) => ({ from, to });
  const months = [
    { account: 'credits', debit: side(0, 0), credit: side(0, 14_999) },
    { account: 'deferred:*', debit: side(0, 14_999), credit: side(0, 0) },
    { account: 'royalties', debit: side(0, 5_001), credit: side(0, 0) },
    { account: 'creator:*', debit: side(0, 0), credit: side(4_000, 8_998) },
    { account: 'tax', debit: side(0, 0), credit: side(0, 4_999) },
  ];
  expect(summaryOf(months)).toEqual([
    { account: 'deferred:*', cents: 1 },
    { account: 'creator:*', cents: -1 },
    { account: 'credits', cents: -1 },
    { account: 'royalties', cents: 1 },
  ]);
  expect(summaryOf(months.slice(2, 3))).toEqual([
    { account: 'royalties', cents: 1 },
    { account: 'rounding', cents: -1 },
  ]);
});

it('[BOOK-804] tax has a line for each jurisdiction, under the account of all tax', async () => {
  const side = (to: number) => ({ from: 0, to });
  const turnovers = [
    { account: 'tax:US-NY', debit: side(0), credit: side(890_000) },
    { account: 'stripe:balance', debit: side(2_790_000), credit: side(0) },
    { account: 'tax:DE', debit: side(100_000), credit: side(2_000_000) },
  ];
  const reports = { turnover: async () => turnovers } as unknown as ReportQueries;
  const journal = new MonthJournal(reports, new Streams(new InMemoryEventStore()));
  const linesOf = async (format: 'xero' | 'quickbooks') => {
    const draft = await journal.of('2026-10', format, true);
    if (!draft.accepted) throw new Error(draft.rejection.code);
    return draft.text
      .trimEnd()
      .split('\r\n')
      .filter((line) => line.includes('tax:'));
  };
  expect(await linesOf('xero')).toEqual(
    [
      ['DE', '0.10'],
      ['DE', '-2.00'],
      ['US-NY', '-0.89'],
    ].map(
      ([place, cents]) =>
        `DRAFT Offcut 2026-10 (OFFCUT-2026-10),31/10/2026,tax:${place},2040,Tax Exempt,${cents}`,
    ),
  );
  expect((await linesOf('quickbooks'))[2]).toBe(
    'OFFCUT-2026-10,10/31/2026,Sales tax payable,,0.89,DRAFT Offcut 2026-10 tax:US-NY',
  );
  const { balanceSheet } = partsOf(turnovers, []);
  expect(balanceSheet.lines.find(({ account }) => account === 'tax:*')).toMatchObject({
    amountMicroUsd: 2_790_000,
  });
});

it('[FIN-103] every account in dollars has a name and a code from the beginning', () => {
  expect(accountMapDecider.initialState.map(({ account }) => account)).toEqual(MAPPED_ACCOUNTS);
});
