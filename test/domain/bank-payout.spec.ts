import { expect, it } from '@jest/globals';
import { entryFor } from '../../domain/ledger/entry.js';
import { bankPayoutDecider, type BankPayoutEvent } from '../../domain/payments/bank-payout.js';

type Word = 'in transit' | 'arrived' | 'failed';
const now = '2026-11-20T12:00:00.000Z';
const days = { sentAt: '2026-11-17T08:00:00.000Z', arrivalAt: '2026-11-19T00:00:00.000Z' };
/** Returns the events of a payout of 50 USD after these reports of the provider. */
function told(...words: Word[]): BankPayoutEvent[] {
  let state = bankPayoutDecider.initialState;
  return words.flatMap((status) => {
    const command = {
      type: 'RecordBankPayout',
      payoutId: 'po_1',
      amountUsdCents: 5_000,
      status,
      ...days,
      now,
    } as const;
    const decision = bankPayoutDecider.decide(command, state);
    if (!decision.accepted) throw new Error(decision.rejection.detail);
    state = decision.events.reduce(bankPayoutDecider.evolve, state);
    return decision.events;
  });
}
/** Returns the final balances. */
function balances(...words: Word[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, delta } of told(...words).flatMap((event) => entryFor(event)?.postings ?? []))
    sums[account] = (sums[account] ?? 0) + delta;
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

it.each<[Word[], Record<string, number>]>([
  [['in transit'], { 'stripe:balance': -50_000_000, 'bank:in-transit': 50_000_000 }],
  [['in transit', 'arrived'], { 'stripe:balance': -50_000_000, bank: 50_000_000 }],
  [['arrived'], { 'stripe:balance': -50_000_000, bank: 50_000_000 }],
  [['arrived', 'in transit', 'arrived'], { 'stripe:balance': -50_000_000, bank: 50_000_000 }],
  [['in transit', 'failed'], {}],
  [['in transit', 'arrived', 'failed', 'failed'], {}],
  [['failed', 'arrived'], {}],
])('[FIN-12] a payout to the bank told as %j is posted once', (words, expected) => {
  expect(balances(...words)).toEqual(expected);
});

it('[FIN-12] a payout that changes its amount is refused aloud', () => {
  const state = told('in transit').reduce(bankPayoutDecider.evolve, bankPayoutDecider.initialState);
  const command = {
    type: 'RecordBankPayout',
    payoutId: 'po_1',
    amountUsdCents: 1,
    status: 'arrived',
    ...days,
    now,
  } as const;
  expect(bankPayoutDecider.decide(command, state)).toMatchObject({
    accepted: false,
    rejection: { code: 'BankPayoutContradicts' },
  });
});

it('[FIN-500] a payout is dated by the provider: when it was sent, and when the bank has it', () => {
  expect(told('arrived').map(({ type, data }) => [type, data.at])).toEqual([
    ['BankPayoutSent', days.sentAt],
    ['BankPayoutArrived', days.arrivalAt],
  ]);
  expect(told('in transit', 'failed')[1]?.data.at).toBe(now);
});
