import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  creditAccountDecider,
  valueOf,
  type CreditCommand,
  type CreditEvent,
  type CreditLot,
} from '../../domain/credits/credit-account.js';

const { decide, evolve, initialState } = creditAccountDecider;

const grant = (
  lotId: string,
  credits: number,
  more: Partial<Extract<CreditCommand, { type: 'GrantCredits' }>> = {},
): CreditCommand => ({
  type: 'GrantCredits',
  userId: 'ada',
  lotId,
  kind: 'paid',
  reason: 'monthly_grant',
  credits,
  valueMicroUsd: credits * 200_000,
  grantedAt: '2026-11-01T00:00:00.000Z',
  ...more,
});
const spend = (credits: number): CreditCommand => ({
  type: 'SpendCredits',
  userId: 'ada',
  purchaseId: 'p1',
  credits,
});

const decided = (command: CreditCommand, state = initialState): CreditEvent[] => {
  const decision = decide(command, state);
  if (!decision.accepted) throw new Error(`refused: ${decision.rejection.code}`);
  return decision.events;
};
const accountAfter = (...commands: CreditCommand[]) =>
  commands.reduce((state, command) => decided(command, state).reduce(evolve, state), initialState);
const segments = (command: CreditCommand, state: typeof initialState) =>
  decided(command, state).flatMap((event) => (event.type === 'CreditsSpent' ? event.data.segments : []));

describe('a credit account', () => {
  it('done: spends what it has and says which lot and what it was worth', () => {
    const account = accountAfter(grant('a', 50, { valueMicroUsd: 9_990_000 }));
    expect(segments(spend(3), account)).toEqual([{ lotId: 'a', credits: 3, valueMicroUsd: 599_400 }]);
  });

  it('[CRED-12] refused: never goes below zero, and says how much is missing', () => {
    const account = accountAfter(grant('a', 2));
    expect(decide(spend(3), account)).toEqual({
      accepted: false,
      rejection: { code: 'InsufficientCredits', balance: 2, missing: 1 },
    });
    expect(decide(spend(1), initialState)).toMatchObject({
      accepted: false,
      rejection: { balance: 0, missing: 1 },
    });
  });

  it('repeated: the same spend again takes again; only its caller knows it was the same', () => {
    const account = accountAfter(grant('a', 5), spend(2), spend(2));
    expect(account.balanceCredits).toBe(1);
  });

  it('raced: a decision on a state that moved on is for the stream version to refuse, not for evolve to judge', () => {
    const stale = accountAfter(grant('a', 1));
    const moved = accountAfter(grant('a', 1), spend(1));
    expect(decide(spend(1), stale).accepted).toBe(true);
    expect(decide(spend(1), moved).accepted).toBe(false);
  });

  it('[CRED-09] spends promotional credits first, then the oldest, then by lot id', () => {
    const account = accountAfter(
      grant('new', 2, { grantedAt: '2026-11-02T00:00:00.000Z' }),
      grant('old-b', 2),
      grant('old-a', 2),
      grant('gift', 2, {
        kind: 'promotional',
        reason: 'promotion',
        valueMicroUsd: 0,
        grantedAt: '2026-11-09T00:00:00.000Z',
      }),
    );
    expect(account.lots.map((lot) => lot.lotId)).toEqual(['gift', 'old-a', 'old-b', 'new']);
    expect(segments(spend(5), account).map((segment) => [segment.lotId, segment.credits])).toEqual([
      ['gift', 2],
      ['old-a', 2],
      ['old-b', 1],
    ]);
  });

  it('[FIN-05] values unfunded promotional credits at nothing', () => {
    const account = accountAfter(
      grant('gift', 2, { kind: 'promotional', reason: 'promotion', valueMicroUsd: 0 }),
    );
    expect(segments(spend(2), account)).toEqual([{ lotId: 'gift', credits: 2, valueMicroUsd: 0 }]);
  });

  it('[CRED-06] knows no event that takes credits away with time', () => {
    const types: CreditEvent['type'][] = ['CreditsGranted', 'CreditsSpent'];
    const account = accountAfter(grant('ancient', 5, { grantedAt: '1999-01-01T00:00:00.000Z' }));
    expect(types.some((type) => /expir/i.test(type))).toBe(false);
    expect(account.balanceCredits).toBe(5);
    expect(decide(spend(5), account).accepted).toBe(true);
  });

  it('[FIN-03] takes exactly what a lot is worth out of it, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 50_000_000_000 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 200 }),
        (credits, valueMicroUsd, cuts) => {
          const lot: CreditLot = {
            lotId: 'a',
            kind: 'paid',
            credits,
            spentCredits: 0,
            valueMicroUsd,
            grantedAt: '',
          };
          let recognised = 0;
          for (const cut of [...cuts, credits]) {
            const taken = Math.min(cut, lot.credits - lot.spentCredits);
            recognised += valueOf(lot, taken);
            lot.spentCredits += taken;
          }
          expect(lot.spentCredits).toBe(credits);
          expect(recognised).toBe(valueMicroUsd);
        },
      ),
    );
  });

  it('[FIN-24] keeps balance and lots in step through any history', () => {
    const step = fc.oneof(
      fc.record({ grant: fc.integer({ min: 1, max: 150 }), promotional: fc.boolean() }),
      fc.record({ spend: fc.integer({ min: 1, max: 60 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = initialState;
        let expected = 0;
        steps.forEach((one, index) => {
          const command =
            'grant' in one
              ? grant(`lot-${index}`, one.grant, { kind: one.promotional ? 'promotional' : 'paid' })
              : spend(one.spend);
          const decision = decide(command, state);
          if (decision.accepted) {
            expected += 'grant' in one ? one.grant : -one.spend;
            state = decision.events.reduce(evolve, state);
          }
          const left = state.lots.reduce((sum, lot) => sum + lot.credits - lot.spentCredits, 0);
          expect([state.balanceCredits, left]).toEqual([expected, expected]);
          expect(state.lots.every((lot) => lot.spentCredits >= 0 && lot.spentCredits < lot.credits)).toBe(
            true,
          );
        });
      }),
    );
  });

  it.each([0, -1, 1.5])('treats a grant of %s credits as a fault of the program', (credits) => {
    expect(() => decide(grant('a', credits, { valueMicroUsd: 0 }), initialState)).toThrow('Impossible');
  });
});

describe('revoking credits', () => {
  const adjustment = { adjustmentId: 'a1', by: 'pia', explanation: 'Given twice' };
  const revoke = (credits: number): CreditCommand => ({
    type: 'RevokeCredits',
    userId: 'ada',
    credits,
    adjustment,
  });
  const taken = (command: CreditCommand, state: typeof initialState) =>
    decided(command, state).flatMap((event) => (event.type === 'CreditsRevoked' ? event.data.segments : []));

  it('[FIN-11] done: takes what is unspent, lot by lot, at the value it had', () => {
    const account = accountAfter(grant('a', 10, { valueMicroUsd: 1_000 }), spend(3), grant('b', 5));
    expect(taken(revoke(8), account)).toEqual([
      { lotId: 'a', credits: 7, valueMicroUsd: 700 },
      { lotId: 'b', credits: 1, valueMicroUsd: 200_000 },
    ]);
    expect(decided(revoke(8), account).reduce(evolve, account).balanceCredits).toBe(4);
  });

  it('[FIN-11] refused: never more than what is unspent', () => {
    const account = accountAfter(grant('a', 10), spend(3));
    expect(decide(revoke(8), account)).toEqual({
      accepted: false,
      rejection: { code: 'InsufficientCredits', balance: 7, missing: 1 },
    });
  });
});
