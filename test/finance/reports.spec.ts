import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresReports } from '../../adapters/ledger/reports/postgres-reports.js';
import type { DeferredMonth } from '../../application/ledger/reports/report-contract.js';
import { Clock } from '../../application/shared/clock.js';
import { boundsOf, endOf } from '../../domain/ledger/period.js';
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

/** A long history, event by event at its own time. */
describe('reports of the books', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let reports: PostgresReports;
  const calendar = new Calendar();
  const { log } = runHistory('reports', STEPS, new Map()).company;
  const last = new Date(log.at(-1)?.at ?? 0);

  beforeAll(async () => {
    test = await startTestDatabase();
    breaksBooks(test.database, 'a history is written past provider and executor', [
      6,
      8,
      10,
      14,
      15,
      'credits',
      'payouts',
      'earnings',
    ]);
    on = booksOn(test, undefined, calendar);
    reports = new PostgresReports(test.database);
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
  }, 60_000);
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
    // Every movement is there, and what is neither given back nor spent is income of its own.
    for (const step of [
      'invoicedMicroUsd',
      'promotionsMicroUsd',
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

  /** Counted from the log by the plainest means. */
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
