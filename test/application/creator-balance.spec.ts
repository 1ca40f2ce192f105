import { expect, it } from '@jest/globals';
import type { Payout } from '../../application/payouts/contract.js';
import type { Streams } from '../../application/shared/streams.js';
import type { EarningsQueries, PayoutQueries } from '../../application/payouts/queries.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { payoutDecider, type PayoutEvent } from '../../domain/payouts/payouts.js';

const AT = '2026-11-20T12:00:00.000Z';
const moved = { creatorId: 'junie', withdrawalId: 'w1', amountMicroUsd: 12_000_000, at: AT };
const REQUESTED: PayoutEvent = {
  type: 'WithdrawalRequested',
  data: {
    ...moved,
    accountId: 'acct_1',
    amountUsdCents: 1_200,
    transferGroup: 'g',
    spans: [],
    deductedMicroUsd: 0,
  },
};
const PAID: PayoutEvent = { type: 'TransferCreated', data: { ...moved, transferId: 'tr_1' } };

it('[PAY-07] never shows a withdrawal as neither under way nor paid, though it is settled between two readings', async () => {
  let readings = 0;
  // The transfer arrives after the first reading, whichever reading that is.
  const settled = () => (readings += 1) > 1;
  const streams = {
    load: async () =>
      [REQUESTED, ...(settled() ? [PAID] : [])].reduce(payoutDecider.evolve, payoutDecider.initialState),
  } as unknown as Streams;
  const payouts = {
    inFlight: async () => (settled() ? undefined : ({ id: 'w1' } as Payout)),
  } as unknown as PayoutQueries;
  const earnings = {
    sums: async () => ({
      releasedMicroUsd: 12_000_000,
      heldMicroUsd: 0,
      inDoubtMicroUsd: 0,
      reversedMicroUsd: 0,
      lastHeldAt: null,
    }),
  } as unknown as EarningsQueries;
  const clock = { now: () => new Date(AT) };
  const withdrawals = new Withdrawals(
    streams,
    earnings,
    payouts,
    undefined as never,
    undefined as never,
    clock,
  );
  const { paidUsdCents, inFlight } = await withdrawals.balance('junie');
  expect(inFlight !== null || paidUsdCents === 1_200).toBe(true);
});
