import { describe, expect, it } from '@jest/globals';
import { booksBeginDecider, type BeginBooks } from '../../domain/ledger/books-begin.js';
import { entryFor, sumsOf } from '../../domain/ledger/entry.js';
import {
  balanceTransactionDecider,
  type BalanceTransactionCommand,
  type KnownMovement,
} from '../../domain/payments/balance-transaction.js';
import type { BalanceTransactionEvent, MovementKind } from '../../domain/shared/balance-movement.js';

const { decide, evolve, initialState } = balanceTransactionDecider;
const AT = '2026-07-10T10:00:00.000Z';
const AFTER = { booksBegin: '2026-08-01T00:00:00.000Z' };
const BEFORE = { booksBegin: '2026-07-01T00:00:00.000Z' };
const movement = { transactionId: 'txn_1', source: 'ch_1', grossUsdCents: 999, feeUsdCents: 59, at: AT };

/** Returns the sum of a movement's events on each account. */
function balancesAfter(...commands: BalanceTransactionCommand[]): Record<string, number> {
  const events: BalanceTransactionEvent[] = [];
  for (const command of commands) {
    const decided = decide(command, events.reduce<KnownMovement>(evolve, initialState));
    if (!decided.accepted) throw new Error(decided.rejection.code);
    events.push(...decided.events);
  }
  const balances = new Map<string, number>();
  for (const entry of events.map(entryFor)) {
    expect(Object.values(sumsOf(entry ?? { postings: [] })).filter((sum) => sum !== 0)).toEqual([]);
    for (const { account, delta } of entry?.postings ?? [])
      balances.set(account, (balances.get(account) ?? 0) + delta);
  }
  return Object.fromEntries([...balances].filter(([, balance]) => balance !== 0));
}

describe('a movement before the books', () => {
  const cases: [MovementKind, number, number, Record<string, number>][] = [
    ['charge', 999, 59, { 'stripe:balance': 9_400_000, 'opening-balances': -9_400_000 }],
    ['refund', -999, -59, { 'stripe:balance': -9_400_000, 'opening-balances': 9_400_000 }],
    ['transfer', -999, 0, { 'stripe:balance': -9_990_000, 'opening-balances': 9_990_000 }],
    ['fee', -200, 0, { 'stripe:balance': -2_000_000, 'opening-balances': 2_000_000 }],
    ['dispute', -999, 1_500, { 'stripe:balance': -24_990_000, 'opening-balances': 24_990_000 }],
    ['dispute won', 999, -1_500, { 'stripe:balance': 24_990_000, 'opening-balances': -24_990_000 }],
    ['other', 500, 0, { 'stripe:balance': 5_000_000, 'opening-balances': -5_000_000 }],
    // A reserve comes back some day, in any month.
    ['reserve', -700, 0, { 'stripe:balance': -7_000_000, 'stripe:reserve': 7_000_000 }],
  ];
  it.each(cases)(
    '[FIN-601] a %s is part of the opening balance, its fee included',
    (kind, gross, fee, expected) => {
      const record = {
        type: 'RecordBalanceTransaction' as const,
        ...movement,
        kind,
        grossUsdCents: gross,
        feeUsdCents: fee,
      };
      expect(balancesAfter({ ...record, ...AFTER })).toEqual(expected);
      // Recorded before the first month was chosen, also with a subject that one of our facts could have.
      const hold = { type: 'HoldInSuspense' } as const;
      for (const about of [{}, { about: 'in_1' }]) {
        const earlier = { ...record, ...about };
        expect(balancesAfter(earlier, hold, { ...hold, ...AFTER }, { ...hold, ...AFTER })).toEqual(expected);
        // An earlier first month removes it from the opening balance.
        const never = balancesAfter(earlier, hold);
        expect(balancesAfter(earlier, { ...hold, ...AFTER }, { ...hold, ...BEFORE })).toEqual(never);
        expect(balancesAfter({ ...earlier, ...BEFORE }, { ...hold, ...BEFORE })).toEqual(never);
      }
    },
  );

  it('[FIN-601] its fact takes it out of the opening balance', () => {
    const record = {
      type: 'RecordBalanceTransaction',
      ...movement,
      kind: 'charge',
      about: 'in_1',
      ...AFTER,
    } as const;
    expect(
      balancesAfter(record, { type: 'HoldInSuspense', ...AFTER }, { type: 'Explain', ...AFTER }),
    ).toEqual({
      'stripe-fees': 590_000,
      'stripe:balance': -590_000,
    });
  });

  it('[FIN-601] another currency opens in an account of its own', () => {
    const foreign = { currency: 'eur', grossMinorUnits: 500, feeMinorUnits: 20 };
    const record = {
      type: 'RecordBalanceTransaction',
      ...movement,
      kind: 'charge',
      grossUsdCents: 0,
      feeUsdCents: 0,
      foreign,
      ...AFTER,
    } as const;
    expect(balancesAfter(record)).toEqual({
      'stripe:balance:eur': 4_800_000,
      'opening-balances:eur': -4_800_000,
    });
  });
});

describe('the first month of the books', () => {
  const asked: BeginBooks = {
    type: 'BeginBooks',
    month: '2026-10',
    by: 'petra',
    approvedBy: 'quinn',
    approvalId: 'a1',
    reason: '',
    now: '2026-11-05T10:00:00.000Z',
    closedMonths: [],
    firstOwnMonth: '2026-10',
  };

  it('[FIN-600] may be any month up to that of the first sale, while none is closed', () => {
    const decided = (more: Partial<BeginBooks>) => booksBeginDecider.decide({ ...asked, ...more }, []);
    expect(decided({})).toMatchObject({
      accepted: true,
      events: [{ type: 'BooksBegun', data: { month: '2026-10' } }],
    });
    expect(decided({ firstOwnMonth: undefined, month: '2026-11' })).toMatchObject({ accepted: true });
    const future = { firstOwnMonth: undefined, month: '2026-12' };
    expect(decided(future)).toMatchObject({ rejection: { code: 'MonthNotBegun', month: '2026-12' } });
    expect(decided({ month: '2026-11' })).toMatchObject({
      rejection: { code: 'BooksBeganEarlier', firstMonth: '2026-10' },
    });
    expect(decided({ closedMonths: ['2026-10', '2026-09'] })).toMatchObject({
      rejection: { code: 'PeriodIsClosed', newestMonth: '2026-10' },
    });
  });

  it('[FIN-600] is set once by a consent; the newest counts', () => {
    const begun = [
      { month: '2026-09', by: 'petra', approvedBy: 'quinn', approvalId: 'a1', reason: '', at: AT },
    ];
    expect(booksBeginDecider.decide(asked, begun)).toEqual({ accepted: true, events: [] });
    expect(booksBeginDecider.decide({ ...asked, approvalId: 'a2' }, begun)).toMatchObject({
      events: [{ data: { month: '2026-10' } }],
    });
  });
});
