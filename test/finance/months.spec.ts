import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreatorAccountQueries } from '../../adapters/ledger/creator-accounts.js';
import { MonthlyBookQueries } from '../../adapters/ledger/monthly-books.js';
import { stripeWords } from '../../adapters/vendors/stripe/stripe-words.js';
import { PostgresOpenBookQueries } from '../../adapters/ledger/postgres-open-books.js';
import { cashFactOf } from '../../domain/ledger/tie-out.js';
import { ClosePeriodHandler, ClosePeriod } from '../../application/ledger/closing/close-period.js';
import { Clock } from '../../application/shared/clock.js';
import type { ReadModelProgress } from '../../application/shared/read-model-progress.js';
import { Streams } from '../../application/shared/streams.js';
import { CHECKLIST_DONE, booksOn, paidInvoice } from '../support/books.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { grantPromotional, purchaseOf, stock } from '../support/stock.js';

class Calendar extends Clock {
  at = new Date('2026-06-20T00:00:00.000Z');
  override now(): Date {
    return this.at;
  }
}

/** June: a gift. July: an invoice and two purchases. August: nothing. September: a gift and a purchase. */
describe('the books by month', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let months: MonthlyBookQueries;
  let open: PostgresOpenBookQueries;
  const calendar = new Calendar();
  const buy = (...samples: string[]) => on.executor.buy(purchaseOf('ada', samples));
  const moneyMoves = async (stream: string, version: number, type: string, data: object) =>
    on.eventStore.append([{ stream, expectedVersion: version, events: [{ type, data: { ...data } }] }], {
      actor: 'test',
      correlationId: 'test',
    });

  beforeAll(async () => {
    test = await startTestDatabase();
    breaksBooks(test.database, 'money moves months ago, past provider and executor', [
      10,
      14,
      15,
      'credits',
      'payouts',
      'earnings',
    ]);
    on = booksOn(test, undefined, calendar);
    months = new MonthlyBookQueries(test.database);
    open = new PostgresOpenBookQueries(test.database, stripeWords);
    const samples = await stock(test.database, 9, { creatorId: 'junie' });
    await grantPromotional(on.executor, 'eve', 1);
    calendar.at = new Date('2026-07-10T00:00:00.000Z');
    await on.executor.grantInvoice(paidInvoice('ada', { paidAt: calendar.at }), { correlationId: 'c' });
    await buy(samples[0] as string, samples[1] as string);
    calendar.at = new Date('2026-09-02T12:00:00.000Z');
    await grantPromotional(on.executor, 'ben', 7);
    await buy(samples[2] as string);
    await on.post();
  });
  afterAll(() => test.close());

  it('[FIN-16] each month of the credits opens with what the one before closed with, and all tie to the whole', async () => {
    const { items } = await months.rollforward(calendar.at, undefined);
    expect(items).toEqual([
      {
        month: '2026-06',
        opening: 0,
        granted: 1,
        spent: 0,
        returned: 0,
        revoked: 0,
        adjusted: 0,
        closing: 1,
      },
      {
        month: '2026-07',
        opening: 1,
        granted: 50,
        spent: 2,
        returned: 0,
        revoked: 0,
        adjusted: 0,
        closing: 49,
      },
      {
        month: '2026-08',
        opening: 49,
        granted: 0,
        spent: 0,
        returned: 0,
        revoked: 0,
        adjusted: 0,
        closing: 49,
      },
      {
        month: '2026-09',
        opening: 49,
        granted: 7,
        spent: 1,
        returned: 0,
        revoked: 0,
        adjusted: 0,
        closing: 55,
      },
    ]);
    const whole = await on.books.rollforward({});
    expect(whole).toMatchObject({ opening: 0, granted: 58, spent: 3, closing: 55 });
    expect((await months.rollforward(calendar.at, 'ben')).items).toMatchObject([
      { month: '2026-09', granted: 7, closing: 7 },
    ]);
    expect(await months.rollforward(calendar.at, 'nobody')).toEqual({ items: [] });
  });

  it('[FIN-15] the balances at the end of each month are those of the trial balance then', async () => {
    const { items } = await months.balances(calendar.at);
    expect(items.map(({ month }) => month)).toEqual(['2026-06', '2026-07', '2026-08', '2026-09']);
    const july = await on.books.trialBalance({ asOf: new Date('2026-07-31T23:59:59.999Z'), grouped: true });
    const credit = (name: string) => july.accounts.find(({ account }) => account === name)?.creditMicroUsd;
    // A gift without value begins the books too.
    expect(items[0]).toEqual({ month: '2026-06', cashMicroUsd: 0, deferredMicroUsd: 0, creatorsMicroUsd: 0 });
    expect(items[1]).toEqual({
      month: '2026-07',
      cashMicroUsd: 9_990_000,
      deferredMicroUsd: credit('deferred:*'),
      creatorsMicroUsd: credit('creator:*'),
    });
    expect(items[2]).toEqual({ ...items[1], month: '2026-08' });
    expect(items[3]?.creatorsMicroUsd).toBe(3 * 119_880);
  });

  it('[FIN-28, FIN-512] lists what is in transit, held or unexplained until it ends, with its age', async () => {
    expect(await open.openItems(calendar.at)).toEqual({ items: [] });
    const payout = { payoutId: 'po_1', amountMicroUsd: 5_000_000, at: calendar.at.toISOString() };
    await moneyMoves('bank-payout-po_1', 0, 'BankPayoutSent', payout);
    const reserve = {
      transactionId: 'txn_1',
      account: 'stripe:reserve',
      item: 'reserve',
      amountMicroUsd: -3_000_000,
      feeMicroUsd: 0,
      reason: 'withheld as a reserve',
      at: calendar.at.toISOString(),
    };
    const refund = { userId: 'ada', lotId: 'l', invoiceId: 'i', refundId: 're_1', amountMicroUsd: 990_000 };
    const owed = { ...refund, refundId: 're_2', amountMicroUsd: 2_000_000 };
    await moneyMoves('credits-yan', 0, 'RefundFailed', { ...refund, failure: 'closed' });
    await moneyMoves('credits-yan', 1, 'RefundFailed', { ...owed, owed: true, failure: 'closed' });
    await moneyMoves('balance-txn_1', 0, 'MovementHeldInSuspense', reserve);
    await on.post();
    const later = new Date(calendar.at.getTime() + 8 * 86_400_000);
    expect((await open.openItems(later)).items).toMatchObject([
      { account: 'bank:in-transit', about: 'po_1', ageDays: 8, aged: true, amountMicroUsd: 5_000_000 },
      // Events of earlier versions hold it in suspense.
      { account: 'suspense', about: 're_1', ageDays: 8, aged: true, amountMicroUsd: 990_000 },
      { account: 'owed-to-customers', about: 're_2', aged: false, amountMicroUsd: 2_000_000 },
      { account: 'stripe:reserve', about: 'reserve', aged: false, amountMicroUsd: 3_000_000 },
    ]);
    const muchLater = new Date(calendar.at.getTime() + 181 * 86_400_000);
    expect((await open.openItems(muchLater)).items.slice(2)).toMatchObject([
      { about: 're_2', aged: true, reason: expect.stringMatching(/^a refund that failed/) },
      { about: 'reserve', aged: false, reason: 'withheld as a reserve' },
    ]);
    expect((await open.openItems(calendar.at)).items[0]).toMatchObject({ ageDays: 0, aged: false });
    await moneyMoves('bank-payout-po_1', 1, 'BankPayoutArrived', payout);
    await on.post();
    expect((await open.openItems(later)).items.map(({ about }) => about)).toEqual([
      're_1',
      're_2',
      'reserve',
    ]);
  });

  it('[FIN-21] names the facts that came after their month was closed, with both dates', async () => {
    const progress = { caughtUp: async () => true } as unknown as ReadModelProgress;
    const periods = new ClosePeriodHandler(
      new Streams(on.eventStore),
      on.books,
      progress,
      CHECKLIST_DONE,
      calendar,
    );
    expect((await open.lateFacts({ limit: 9 })).items).toEqual([]);
    for (const month of ['2026-06', '2026-07']) await periods.execute(new ClosePeriod(month, 'petra'));
    expect((await open.lateFacts({ limit: 9 })).items).toEqual([]);
    const late = paidInvoice('zoe', { paidAt: new Date('2026-07-30T10:00:00.000Z') });
    await on.executor.grantInvoice(late, { correlationId: 'late' });
    await on.post();
    expect((await open.lateFacts({ limit: 9 })).items).toEqual([
      {
        month: '2026-07',
        position: (await on.eventStore.head()).position,
        fact: 'invoice-paid',
        about: late.invoiceId,
        at: '2026-07-30T10:00:00.000Z',
        postedAt: calendar.at.toISOString(),
        amountMicroUsd: 9_990_000,
      },
    ]);
  });

  it('[FIN-21] late facts are those that a search of the whole log finds, a page at a time', async () => {
    const progress = { caughtUp: async () => true } as unknown as ReadModelProgress;
    const periods = new ClosePeriodHandler(
      new Streams(on.eventStore),
      on.books,
      progress,
      CHECKLIST_DONE,
      calendar,
    );
    await periods.execute(new ClosePeriod('2026-08', 'petra'));
    // The edges of a month, open months, a month that was never closed, and facts in time.
    const days = [
      '2026-06-30T23:59:59.999Z',
      '2026-07-01T00:00:00.000Z',
      '2026-08-31T23:59:59.999Z',
      '2026-09-01T00:00:00.000Z',
    ];
    for (const day of days) {
      await on.executor.grantInvoice(paidInvoice('zoe', { paidAt: new Date(day) }), {
        correlationId: 'late',
      });
      const sent = { payoutId: `po_${day}`, amountMicroUsd: 10_000, at: day };
      await moneyMoves(`bank-payout-${day}`, 0, 'BankPayoutSent', sent);
      await moneyMoves(`bank-payout-${day}`, 1, 'BankPayoutFailed', { ...sent, reason: 'closed' });
    }
    await on.post();
    const events = await on.eventStore.readAll({ after: 0, limit: 1_000 });
    const closed = events.filter(({ type }) => type === 'PeriodClosed').map(({ data }) => data);
    const expected = events.flatMap((event) =>
      closed
        .filter(({ month, lastPosition }) => {
          const told = String(event.data.at ?? event.data.grantedAt ?? '').slice(0, 7);
          return told === month && event.position > Number(lastPosition) && cashFactOf(event);
        })
        .map(({ month }) => `${event.position} ${String(month)}`),
    );
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await open.lateFacts({ limit: 3, ...(cursor && { cursor }) });
      found.push(...page.items.map(({ position, month }) => `${position} ${month}`));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(found.length).toBeGreaterThan(6);
    expect(found).toEqual(expected.reverse());
    const { counts } = await open.lateFacts({ limit: 1 });
    const ofMonth = (month: string) => found.filter((each) => each.endsWith(month)).length;
    expect(counts.map(({ facts }) => facts)).toEqual(counts.map(({ month }) => ofMonth(month)));
    expect(counts.reduce((sum, { facts }) => sum + facts, 0)).toBe(found.length);
  });

  it('[FIN-27] a creator is owed what was earned less taken back, in transit and paid, and more once a debt is written off', async () => {
    const accounts = new CreatorAccountQueries(test.database);
    const moved = { creatorId: 'junie', withdrawalId: 'w1', amountMicroUsd: 200_000 };
    await moneyMoves('payouts-junie', 0, 'WithdrawalRequested', moved);
    await test.database.pool.query(
      `insert into payout (withdrawal_id, creator_id, version, account_id, amount_usd_cents, spans, deducted_micro_usd, status, requested_at)
       values ('w1', 'junie', 1, 'acct_1', 20, '[]', 0, 'requested', now())`,
    );
    await on.post();
    const asked = { search: '', limit: 5 };
    const totals = { earnedMicroUsd: 359_640, takenBackMicroUsd: 0, writtenOffMicroUsd: 0 };
    expect((await accounts.list(asked)).items).toEqual([
      {
        creatorId: 'junie',
        displayName: 'Former member',
        handle: null,
        ...totals,
        inTransitMicroUsd: 200_000,
        paidMicroUsd: 0,
        balanceMicroUsd: 159_640,
      },
    ]);
    await moneyMoves('payouts-junie', 1, 'TransferCreated', { ...moved, transferId: 'tr_1' });
    await test.database.pool.query(`update payout set status = 'paid'`);
    await on.post();
    expect(await accounts.find('junie')).toMatchObject({
      ...totals,
      inTransitMicroUsd: 0,
      paidMicroUsd: 200_000,
      balanceMicroUsd: 159_640,
    });
    expect(await accounts.find('nobody')).toBeUndefined();
    expect((await accounts.list({ ...asked, search: 'FORMER' })).items).toHaveLength(1);
    expect((await accounts.list({ ...asked, search: 'wren' })).items).toHaveLength(0);
  });
});
