import { describe, expect, it } from '@jest/globals';
import {
  availableMicroUsd,
  keptSpans,
  payoutDecider,
  statementOf,
  type Earned,
  type PayoutCommand,
  type PayoutEvent,
  type Payouts,
} from '../../domain/payouts/payouts.js';
import { releasedBefore } from '../../domain/payouts/policy.js';
import { lengthOf } from '../../domain/payouts/spans.js';
import { SEED, sizeOf } from '../support/sizes.js';

const now = '2026-11-20T12:00:00.000Z';
const cents = (count: number) => count * 10_000;
const earned = (releasedCents: number, reversedCents = 0): Earned => ({
  releasedMicroUsd: cents(releasedCents),
  reversedMicroUsd: cents(reversedCents),
});
const account = { accountId: 'acct_1', payoutsEnabled: true };
const request = (
  withdrawalId: string,
  amountUsdCents: number | undefined,
  has: Earned,
  more: Partial<Extract<PayoutCommand, { type: 'RequestWithdrawal' }>> = {},
): PayoutCommand => ({
  type: 'RequestWithdrawal',
  creatorId: 'junie',
  withdrawalId,
  account,
  amountUsdCents,
  earned: has,
  now,
  ...more,
});
const transferred = (withdrawalId: string, amountUsdCents: number, transferId = `tr_${withdrawalId}`) =>
  ({ type: 'RecordTransfer', withdrawalId, transferId, amountUsdCents, now }) as const;
const refused = (withdrawalId: string) =>
  ({ type: 'RecordRefusal', withdrawalId, reason: 'balance_insufficient', now }) as const;
const lost = (withdrawalId: string) => ({ type: 'RecordLostAnswer', withdrawalId, now }) as const;
const reversed = (withdrawalId: string, amountUsdCents: number, reversalId = 'trr_1') =>
  ({ type: 'RecordReversal', withdrawalId, reversalId, amountUsdCents, now }) as const;

function given(...commands: PayoutCommand[]): Payouts {
  return commands.reduce((state, command) => {
    const decision = payoutDecider.decide(command, state);
    if (!decision.accepted) throw new Error(`given: ${decision.rejection.code}`);
    return decision.events.reduce(payoutDecider.evolve, state);
  }, payoutDecider.initialState);
}
const eventsOf = (command: PayoutCommand, state = payoutDecider.initialState): PayoutEvent[] => {
  const decision = payoutDecider.decide(command, state);
  if (!decision.accepted) throw new Error(decision.rejection.code);
  return decision.events;
};
const refusal = (command: PayoutCommand, state = payoutDecider.initialState) => {
  const decision = payoutDecider.decide(command, state);
  return decision.accepted ? undefined : decision.rejection;
};

describe('a withdrawal', () => {
  it('[PAY-03] reserves the amount and names the earnings it pays', () => {
    expect(eventsOf(request('w1', 1_500, earned(2_000)))).toEqual([
      {
        type: 'WithdrawalRequested',
        data: {
          creatorId: 'junie',
          withdrawalId: 'w1',
          accountId: 'acct_1',
          amountUsdCents: 1_500,
          amountMicroUsd: 15_000_000,
          transferGroup: 'withdrawal_w1',
          spans: [{ fromMicroUsd: 0, toMicroUsd: 15_000_000 }],
          deductedMicroUsd: 0,
          at: now,
        },
      },
    ]);
  });

  it('[PAY-03] of everything takes whole cents and leaves the rest of a cent', () => {
    const [event] = eventsOf(request('w1', undefined, { releasedMicroUsd: 12_349_999, reversedMicroUsd: 0 }));
    expect(event?.data).toMatchObject({ amountUsdCents: 1_234, amountMicroUsd: 12_340_000 });
  });

  it('[PAY-03] needs an account that may be paid, 10 USD, and as much available', () => {
    const has = earned(2_000);
    expect(refusal(request('w1', 1_500, has, { account: undefined }))).toEqual({ code: 'PayoutsNotEnabled' });
    expect(
      refusal(request('w1', 1_500, has, { account: { accountId: 'acct_1', payoutsEnabled: false } })),
    ).toEqual({ code: 'PayoutsNotEnabled' });
    expect(refusal(request('w1', 999, has))).toEqual({ code: 'WithdrawalTooSmall', minimumUsdCents: 1_000 });
    expect(refusal(request('w1', 2_001, has))).toEqual({
      code: 'InsufficientEarnings',
      availableMicroUsd: cents(2_000),
      minimumUsdCents: 1_000,
    });
    expect(refusal(request('w1', undefined, earned(999)))).toMatchObject({ code: 'InsufficientEarnings' });
    expect(eventsOf(request('w1', 1_000, earned(1_000)))).toHaveLength(1);
  });

  it('[PAY-03] is one at a time, and the same one again moves nothing', () => {
    const state = given(request('w1', 1_000, earned(5_000)));
    expect(refusal(request('w2', 1_000, earned(5_000)), state)).toEqual({
      code: 'WithdrawalInFlight',
      withdrawalId: 'w1',
    });
    expect(eventsOf(request('w1', 1_000, earned(5_000)), state)).toEqual([]);
    const unknown = given(request('w1', 1_000, earned(5_000)), lost('w1'));
    expect(refusal(request('w2', 1_000, earned(5_000)), unknown)?.code).toBe('WithdrawalInFlight');
    const paid = given(request('w1', 1_000, earned(5_000)), transferred('w1', 1_000));
    expect(eventsOf(request('w2', 4_000, earned(5_000)), paid)).toHaveLength(1);
    expect(refusal(request('w2', 4_001, earned(5_000)), paid)?.code).toBe('InsufficientEarnings');
  });

  it('[PAY-07] pays what is older than 14 days', () => {
    expect(releasedBefore(new Date(now)).toISOString()).toBe('2026-11-06T12:00:00.000Z');
  });
});

describe('what the provider tells', () => {
  const has = earned(5_000);

  it('[FIN-12] a transfer, once however often it is told', () => {
    const state = given(request('w1', 1_000, has));
    expect(eventsOf(transferred('w1', 1_000), state)).toEqual([
      {
        type: 'TransferCreated',
        data: {
          creatorId: 'junie',
          withdrawalId: 'w1',
          amountMicroUsd: 10_000_000,
          at: now,
          transferId: 'tr_w1',
        },
      },
    ]);
    expect(
      eventsOf(transferred('w1', 1_000), given(request('w1', 1_000, has), transferred('w1', 1_000))),
    ).toEqual([]);
  });

  it('[FIN-12] a refusal gives the amount back', () => {
    const state = given(request('w1', 1_000, has), lost('w1'), refused('w1'));
    expect(availableMicroUsd(state, has)).toBe(cents(5_000));
    expect(eventsOf(request('w2', 5_000, has), state)[0]?.data).toMatchObject({
      spans: [{ fromMicroUsd: 0, toMicroUsd: cents(5_000) }],
    });
  });

  it('[FIN-13] a lost answer is unknown: recorded once, and the amount stays in transit', () => {
    const state = given(request('w1', 1_000, has), lost('w1'));
    expect(state.withdrawals[0]?.status).toBe('unknown');
    expect(availableMicroUsd(state, has)).toBe(cents(4_000));
    expect(eventsOf(lost('w1'), state)).toEqual([]);
    expect(
      given(request('w1', 1_000, has), lost('w1'), transferred('w1', 1_000)).withdrawals[0]?.status,
    ).toBe('paid');
  });

  it('[FIN-13] a refusal or lost answer after the transfer is known changes nothing', () => {
    const paid = given(request('w1', 1_000, has), transferred('w1', 1_000));
    expect(eventsOf(refused('w1'), paid)).toEqual([]);
    expect(eventsOf(lost('w1'), paid)).toEqual([]);
  });

  it('[FIN-12] reversals in parts give back those parts, each once, and no more than was sent', () => {
    const paid = given(request('w1', 2_000, has), transferred('w1', 2_000));
    const once = given(request('w1', 2_000, has), transferred('w1', 2_000), reversed('w1', 500, 'a'));
    expect(availableMicroUsd(once, has)).toBe(cents(3_500));
    expect(eventsOf(reversed('w1', 500, 'a'), once)).toEqual([]);
    expect(refusal(reversed('w1', 1_501, 'b'), once)?.code).toBe('TransferContradicts');
    expect(eventsOf(reversed('w1', 1_500, 'b'), once)[0]?.data).toMatchObject({
      amountMicroUsd: cents(1_500),
    });
    expect(refusal(reversed('w1', 2_001), paid)?.code).toBe('TransferContradicts');
  });

  it('what cannot be is refused aloud: another amount, a second transfer, one of a failed withdrawal', () => {
    const state = given(request('w1', 1_000, has));
    expect(refusal(transferred('w1', 999), state)?.code).toBe('TransferContradicts');
    const paid = given(request('w1', 1_000, has), transferred('w1', 1_000));
    expect(refusal(transferred('w1', 1_000, 'tr_other'), paid)?.code).toBe('TransferContradicts');
    const failed = given(request('w1', 1_000, has), refused('w1'));
    expect(refusal(transferred('w1', 1_000), failed)?.code).toBe('TransferContradicts');
    expect(refusal(transferred('nobody', 1_000))?.code).toBe('NotFound');
  });
});

describe('a balance below zero', () => {
  it('[PAY-08] is paid again only once it has recovered, and the payout makes up for the reversal', () => {
    const paid = given(request('w1', 2_000, earned(2_000)), transferred('w1', 2_000));
    const negative = earned(2_500, 1_000);
    expect(availableMicroUsd(paid, negative)).toBe(cents(-500));
    expect(refusal(request('w2', undefined, negative), paid)).toEqual({
      code: 'InsufficientEarnings',
      availableMicroUsd: cents(-500),
      minimumUsdCents: 1_000,
    });
    expect(refusal(request('w2', 1_000, earned(3_999, 1_000)), paid)?.code).toBe('InsufficientEarnings');
    expect(eventsOf(request('w2', 1_000, earned(4_000, 1_000)), paid)[0]?.data).toMatchObject({
      spans: [{ fromMicroUsd: cents(2_000), toMicroUsd: cents(4_000) }],
      deductedMicroUsd: cents(1_000),
    });
  });
});

describe('a share that was sold for more than credits cost', () => {
  it('[ADM-37] is withdrawn by nobody, beside others that are', () => {
    const has = { ...earned(5_000), inDoubtMicroUsd: cents(3_000) };
    expect(refusal(request('w1', 2_001, has))).toMatchObject({
      code: 'InsufficientEarnings',
      availableMicroUsd: cents(2_000),
    });
    expect(eventsOf(request('w1', 2_000, has), payoutDecider.initialState)).toHaveLength(1);
  });
});

describe('a debt', () => {
  const writeOff = (has: Earned, heldUsdCents = 0): PayoutCommand => ({
    type: 'WriteOffDebt',
    creatorId: 'junie',
    earned: has,
    heldMicroUsd: cents(heldUsdCents),
    now,
  });
  const paid = given(request('w1', 2_000, earned(2_000)), transferred('w1', 2_000));

  it('[FIN-11] that is written off is owed no more, and no later payout makes up for it', () => {
    const events = eventsOf(writeOff(earned(2_500, 1_000), 200), paid);
    expect(events).toEqual([
      {
        type: 'CreatorDebtWrittenOff',
        data: { creatorId: 'junie', amountMicroUsd: cents(300), at: now },
      },
    ]);
    const forgiven = events.reduce(payoutDecider.evolve, paid);
    expect(eventsOf(writeOff(earned(2_500, 1_000), 200), forgiven)).toEqual([]);
    expect(availableMicroUsd(forgiven, earned(2_700, 1_000))).toBe(0);
    expect(eventsOf(request('w2', 1_300, earned(4_000, 1_000)), forgiven)[0]?.data).toMatchObject({
      spans: [{ fromMicroUsd: cents(2_000), toMicroUsd: cents(4_000) }],
      deductedMicroUsd: cents(700),
    });
  });

  it('[ADM-33] is written off as far as a second person agreed, once', () => {
    const consent = { approvalId: 'a1', approvedBy: 'pia', mostMicroUsd: cents(400) };
    const agreed = { ...writeOff(earned(2_000, 1_000)), consent } as PayoutCommand;
    const events = eventsOf(agreed, paid);
    expect(events[0]?.data).toMatchObject({
      amountMicroUsd: cents(400),
      approvalId: 'a1',
      approvedBy: 'pia',
    });
    const forgiven = events.reduce(payoutDecider.evolve, paid);
    expect(eventsOf(agreed, forgiven)).toEqual([]);
    expect(availableMicroUsd(forgiven, earned(2_000, 1_000))).toBe(cents(-600));
  });

  it('[FIN-11] that earnings in their hold will pay is not written off', () => {
    expect(eventsOf(writeOff(earned(2_500, 1_000), 500), paid)).toEqual([]);
    expect(eventsOf(writeOff(earned(3_500, 1_000)), paid)).toEqual([]);
  });
});

describe('the earnings that payouts name', () => {
  it('[PAY-09, PAY-503] never overlap, sum to what is paid and made up for, and leave statements as issued (seeded)', () => {
    const seed = Number(SEED);
    let random = seed;
    const next = (below: number) => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((random / 2 ** 32) * below);
    };
    for (let history = 0; history < sizeOf('PAYOUT_HISTORIES'); history += 1) {
      let state = payoutDecider.initialState;
      const issuedBefore = new Map<string, ReturnType<typeof statementOf> | undefined>();
      let has: Earned = { releasedMicroUsd: 0, reversedMicroUsd: 0 };
      for (let step = 0; step < 25; step += 1) {
        has = {
          releasedMicroUsd: has.releasedMicroUsd + next(9_000_000),
          reversedMicroUsd: Math.min(
            has.releasedMicroUsd,
            has.reversedMicroUsd + (next(4) ? 0 : next(3_000_000)),
          ),
        };
        const id = `w${step}`;
        const decision = payoutDecider.decide(
          request(id, next(2) ? undefined : 1_000 + next(900), has),
          state,
        );
        const commands: PayoutCommand[] = [];
        if (decision.accepted && decision.events[0]?.type === 'WithdrawalRequested') {
          const { amountUsdCents } = decision.events[0].data;
          state = decision.events.reduce(payoutDecider.evolve, state);
          commands.push(next(3) ? transferred(id, amountUsdCents) : refused(id));
        }
        const old = state.withdrawals.find(
          ({ status, reversedUsdCents, amountUsdCents }) =>
            status === 'paid' && reversedUsdCents < amountUsdCents,
        );
        if (old && !next(4))
          commands.push(
            reversed(old.withdrawalId, 1 + next(old.amountUsdCents - old.reversedUsdCents), `trr_${step}`),
          );
        if (next(5) === 0)
          commands.push({ type: 'WriteOffDebt', creatorId: 'junie', earned: has, heldMicroUsd: 0, now });
        for (const command of commands) state = eventsOf(command, state).reduce(payoutDecider.evolve, state);
        const spans = state.withdrawals.flatMap(keptSpans).sort((a, b) => a.fromMicroUsd - b.fromMicroUsd);
        const overlaps = spans.filter(
          (span, i) => i > 0 && span.fromMicroUsd < (spans[i - 1]?.toMicroUsd ?? 0),
        );
        const paid = state.withdrawals.reduce(
          (sum, one) =>
            sum + (one.status === 'failed' ? 0 : cents(one.amountUsdCents - one.reversedUsdCents)),
          0,
        );
        const deducted = state.withdrawals.reduce((sum, one) => sum + one.deductedMicroUsd, 0);
        expect({ seed, history, step, overlaps, covered: lengthOf(spans) }).toEqual({
          seed,
          history,
          step,
          overlaps: [],
          covered: paid + deducted,
        });
        // Each statement sums to its payout for ever, and no two list the same earnings as sales.
        const statements = state.withdrawals.map((one, i) =>
          statementOf(one.spans, state.withdrawals.slice(0, i)),
        );
        const listed = statements.flatMap(({ sales }) => sales);
        expect(lengthOf(listed)).toBe(Math.max(0, ...listed.map(({ toMicroUsd }) => toMicroUsd)));
        state.withdrawals.forEach(({ withdrawalId, status, amountUsdCents, deductedMicroUsd }, i) => {
          const { sales, paidAgain } = statements[i] as ReturnType<typeof statementOf>;
          const again = paidAgain.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0);
          const issued = status === 'failed' ? 0 : cents(amountUsdCents);
          expect({ withdrawalId, sum: lengthOf(sales) + again - deductedMicroUsd }).toEqual({
            withdrawalId,
            sum: issued,
          });
          if (status !== 'failed')
            issuedBefore.set(withdrawalId, issuedBefore.get(withdrawalId) ?? statements[i]);
          else issuedBefore.delete(withdrawalId);
          expect(status === 'failed' ? undefined : statements[i]).toEqual(issuedBefore.get(withdrawalId));
        });
      }
    }
  });
});
