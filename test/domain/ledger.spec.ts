import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  creditAccountDecider,
  type CreditCommand,
  type CreditEvent,
} from '../../domain/credits/credit-account.js';
import { chartedAccount } from '../../domain/ledger/accounts.js';
import { entryFor, sumsOf, type Entry } from '../../domain/ledger/entry.js';
import type { PurchaseEvent } from '../../domain/purchases/purchase.js';
import { floorShare } from '../../domain/shared/micro-usd.js';

const { decide, evolve, initialState } = creditAccountDecider;

const granted = (
  more: Partial<Extract<CreditEvent, { type: 'CreditsGranted' }>['data']> = {},
): CreditEvent => ({
  type: 'CreditsGranted',
  data: {
    userId: 'ada',
    lotId: 'lot1',
    kind: 'paid',
    reason: 'monthly_grant',
    credits: 50,
    valueMicroUsd: 9_000_000,
    grantedAt: '2026-11-01T00:00:00.000Z',
    ...more,
  },
});
const invoice = {
  invoiceId: 'in_1',
  invoiceLineId: 'il_1',
  grossMicroUsd: 9_990_000,
  taxMicroUsd: 990_000,
};
const spent = (segments: { lotId: string; credits: number; valueMicroUsd: number }[]): CreditEvent => ({
  type: 'CreditsSpent',
  data: {
    userId: 'ada',
    purchaseId: 'p1',
    credits: segments.reduce((sum, segment) => sum + segment.credits, 0),
    segments,
  },
});
const purchased = (shareMicroUsd: number): PurchaseEvent => ({
  type: 'SamplePurchased',
  data: {
    purchaseId: 'p1',
    buyerId: 'ada',
    sampleId: 's1',
    packId: 'k1',
    creatorId: 'junie',
    certificateId: 'c1',
    audioVersion: 1,
    fileSha256: 'a'.repeat(64),
    priceCredits: 2,
    valueMicroUsd: 360_000,
    shareMicroUsd,
    shareBps: 6_000,
    policyVersion: 1,
  },
});
/** Formats postings as `account: amount`. Debits are positive; credits have their unit. */
const posted = (entry: Entry | undefined) =>
  entry &&
  Object.fromEntries(
    entry.postings.map(({ account, commodity, delta }) => [
      account,
      commodity === 'usd' ? delta : `${delta} credits`,
    ]),
  );

describe('the entry of an event', () => {
  it('a paid invoice: cash for tax and deferred value, and the credits', () => {
    const entry = entryFor(granted({ invoice }));
    expect(entry?.fact).toBe('invoice-paid');
    expect(posted(entry)).toEqual({
      'stripe:balance': 9_990_000,
      tax: -990_000,
      'deferred:lot1': -9_000_000,
      'user:ada': '50 credits',
      issued: '-50 credits',
    });
  });

  it('[FIN-05] an unfunded promotion posts credits and no money, a funded one defers its value', () => {
    const promotion = { kind: 'promotional', reason: 'promotion' } as const;
    expect(posted(entryFor(granted({ ...promotion, credits: 5, valueMicroUsd: 0 })))).toEqual({
      'user:ada': '5 credits',
      issued: '-5 credits',
    });
    expect(posted(entryFor(granted({ ...promotion, credits: 5, valueMicroUsd: 500_000 })))).toEqual({
      promotions: 500_000,
      'deferred:lot1': -500_000,
      'user:ada': '5 credits',
      issued: '-5 credits',
    });
  });

  it("[FIN-04] a purchase: deferred value becomes income, and a share of it the creator's", () => {
    const spend = entryFor(
      spent([
        { lotId: 'a', credits: 1, valueMicroUsd: 0 },
        { lotId: 'b', credits: 1, valueMicroUsd: 180_000 },
      ]),
    );
    expect(posted(spend)).toEqual({
      'deferred:b': 180_000,
      credits: -180_000,
      'user:ada': '-2 credits',
      spent: '2 credits',
    });
    expect(posted(entryFor(purchased(216_000)))).toEqual({ royalties: 216_000, 'creator:junie': -216_000 });
  });

  it('[FIN-05] a share of worthless credits, an own sample and a new version post nothing', () => {
    expect(entryFor(purchased(0))).toBeUndefined();
    const { data } = purchased(0);
    expect(entryFor({ type: 'OwnSampleLicensed', data })).toBeUndefined();
    expect(entryFor({ type: 'NewVersionLicensed', data })).toBeUndefined();
  });

  it('[FIN-06] a purchase undone posts the exact mirror, into new lots', () => {
    const back = [
      ['a', 1, 0],
      ['b', 1, 180_000],
    ].map(([lot, credits, valueMicroUsd]) =>
      granted({
        lotId: `return-${lot}`,
        reason: 'refund',
        credits: credits as number,
        valueMicroUsd: valueMicroUsd as number,
        returned: { purchaseId: 'p1' },
      }),
    );
    expect(back.map((event) => posted(entryFor(event)))).toEqual([
      { 'user:ada': '1 credits', spent: '-1 credits' },
      { credits: 180_000, 'deferred:return-b': -180_000, 'user:ada': '1 credits', spent: '-1 credits' },
    ]);
    const { data } = purchased(216_000);
    expect(posted(entryFor({ type: 'PurchaseReturned', data }))).toEqual({
      royalties: -216_000,
      'creator:junie': 216_000,
    });
  });

  it('[FIN-11] an administrator gives credits like a promotion, and takes them into what is forfeited', () => {
    const given = entryFor(granted({ reason: 'admin_adjustment', credits: 5, valueMicroUsd: 500_000 }));
    expect(given?.fact).toBe('adjustment');
    expect(posted(given)).toEqual({
      promotions: 500_000,
      'deferred:lot1': -500_000,
      'user:ada': '5 credits',
      issued: '-5 credits',
    });
    const taken: CreditEvent = {
      type: 'CreditsRevoked',
      data: {
        userId: 'ada',
        reason: 'admin_adjustment',
        credits: 2,
        segments: [{ lotId: 'a', credits: 2, valueMicroUsd: 360_000 }],
        adjustment: { adjustmentId: 'a1', by: 'pia', explanation: 'Given twice' },
      },
    };
    expect(posted(entryFor(taken))).toEqual({
      'deferred:a': 360_000,
      forfeited: -360_000,
      'user:ada': '-2 credits',
      revoked: '2 credits',
    });
  });

  it.each([
    ['WithdrawalRequested', { 'creator:junie': 5_000_000, 'payouts-in-transit': -5_000_000 }],
    ['TransferCreated', { 'payouts-in-transit': 5_000_000, 'stripe:balance': -5_000_000 }],
    ['WithdrawalFailed', { 'payouts-in-transit': 5_000_000, 'creator:junie': -5_000_000 }],
    ['TransferReversed', { 'stripe:balance': 5_000_000, 'creator:junie': -5_000_000 }],
    ['TransferAnswerLost', undefined],
  ])('moves a payout: %s', (type, lines) => {
    const data = { creatorId: 'junie', withdrawalId: 'w1', amountMicroUsd: 5_000_000 };
    expect(posted(entryFor({ type, data }))).toEqual(lines);
  });

  it('shows in its sum that an invoice does not add up', () => {
    const entry = entryFor(granted({ invoice: { ...invoice, taxMicroUsd: 1_000_000 } })) as Entry;
    expect(sumsOf(entry)).toEqual({ usd: -10_000, credits: 0 });
  });

  it('[FIN-01] refuses an amount that is no whole number of micro-dollars', () => {
    expect(() => entryFor(granted({ valueMicroUsd: 0.5 }))).toThrow('safe integer');
    expect(() => entryFor(granted({ valueMicroUsd: 2 ** 53 }))).toThrow('safe integer');
  });

  it('[FIN-03, FIN-23] every entry of any history sums to zero per commodity, and drained lots recognise exactly their value', () => {
    const lot = fc.record({
      credits: fc.integer({ min: 1, max: 150 }),
      value: fc.integer({ min: 0, max: 20_000_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(lot, { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 5 })),
        (lots, spends) => {
          let state = initialState;
          const balances = new Map<string, number>();
          const run = (command: CreditCommand) => {
            const decision = decide(command, state);
            if (!decision.accepted) return;
            state = decision.events.reduce(evolve, state);
            for (const event of decision.events) {
              const entry = entryFor(event) as Entry;
              expect(sumsOf(entry)).toEqual({ usd: 0, credits: 0 });
              for (const { account, delta } of entry.postings) {
                expect(
                  Number.isSafeInteger(delta) && delta !== 0 && chartedAccount(account) !== undefined,
                ).toBe(true);
                balances.set(account, (balances.get(account) ?? 0) + delta);
              }
            }
          };
          lots.forEach(({ credits, value }, n) =>
            run({
              type: 'GrantCredits',
              userId: 'ada',
              lotId: `l${n}`,
              kind: 'paid',
              reason: 'promotion',
              credits,
              valueMicroUsd: value,
              grantedAt: `2026-11-0${n + 1}`,
            }),
          );
          spends.forEach((credits, n) =>
            run({ type: 'SpendCredits', userId: 'ada', purchaseId: `p${n}`, credits }),
          );
          const rest = state.balanceCredits;
          if (rest > 0) run({ type: 'SpendCredits', userId: 'ada', purchaseId: 'rest', credits: rest });
          lots.forEach((_, n) => expect(balances.get(`deferred:l${n}`) ?? 0).toBe(0));
          expect(0 - (balances.get('credits') ?? 0)).toBe(lots.reduce((sum, { value }) => sum + value, 0));
          expect(balances.get('user:ada')).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[FIN-04] the share is the floor of value times basis points', () => {
    expect(floorShare(199_801, { shareBps: 6_000 })).toBe(119_880);
    expect(floorShare(1, { shareBps: 6_000 })).toBe(0);
  });

  it.each([
    ['stripe:balance', 'asset', 'usd'],
    ['deferred:lot1', 'liability', 'usd'],
    ['creator:junie', 'liability', 'usd'],
    ['credits', 'income', 'usd'],
    ['user:ada', 'credits', 'credits'],
    ['spent', 'credits', 'credits'],
  ])('knows %s as %s in %s', (account, kind, commodity) => {
    expect(chartedAccount(account)).toMatchObject({ kind, commodity });
  });

  it.each(['', 'deferred:', 'deferred', 'nothing', 'stripe'])('knows no account %j', (name) => {
    expect(chartedAccount(name)).toBeUndefined();
  });
});
