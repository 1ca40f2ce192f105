import { describe, expect, it } from '@jest/globals';
import { FIRST_LIMITS } from '../../domain/shared/limits.js';
import {
  adjustmentDecider,
  needsSecondPerson,
  type AdjustmentCommand,
  type AgreedTogether,
  type AdjustmentState,
} from '../../domain/credits/adjustment.js';
import type { Approver } from '../../domain/shared/second-person.js';
import type { StaffRole } from '../../domain/shared/staff-role.js';

const now = '2026-11-20T12:00:00.000Z';
const request = {
  type: 'RequestAdjustment' as const,
  adjustmentId: 'a1',
  userId: 'ada',
  credits: 501,
  valueMicroUsd: 0,
  explanation: 'Prize',
  by: 'pia',
  facts: { others: [], limits: FIRST_LIMITS, mostMicroUsdPerCredit: 199_800, boughtFromThem: false },
  now,
};
/** An approver who has been an administrator for long, with changes in `more`. */
const somebody = (by: string, more: Partial<Approver> = {}): Approver & { now: string } => ({
  by,
  roles: new Map([['admin', { by: 'system:operator', at: '2025-01-01T00:00:00.000Z' }]]),
  boughtFromThem: false,
  now,
  ...more,
});
const approve = (
  by: string,
  more: Partial<Approver> = {},
  together: readonly AgreedTogether[] = [],
): AdjustmentCommand => ({ type: 'ApproveAdjustment', ...somebody(by, more), together });
const declined = (by: string, more: Partial<Approver> = {}): AdjustmentCommand => ({
  type: 'DeclineAdjustment',
  ...somebody(by, more),
});
const decline = declined('pia');
const fail: AdjustmentCommand = { type: 'FailAdjustment', balance: 3, now };

const after = (...commands: AdjustmentCommand[]): AdjustmentState =>
  commands.reduce((state, command) => {
    const decision = adjustmentDecider.decide(command, state);
    if (!decision.accepted) throw new Error(decision.rejection.code);
    return decision.events.reduce(adjustmentDecider.evolve, state);
  }, adjustmentDecider.initialState);
const answer = (command: AdjustmentCommand, state: AdjustmentState) => {
  const decision = adjustmentDecider.decide(command, state);
  return decision.accepted ? decision.events.map(({ type }) => type) : decision.rejection;
};

/** A request with changes, and with changed facts. */
const asking = (more: object, facts: object = {}): AdjustmentCommand => ({
  ...request,
  credits: 10,
  ...more,
  facts: { ...request.facts, ...facts },
});

describe('[ADM-06] an adjustment', () => {
  const alone = ['AdjustmentRequested', 'AdjustmentMadeAlone'];
  const two = ['AdjustmentRequested'];

  it.each([
    [500, 0, [], false],
    [-500, 0, [], false],
    [501, 0, [], true],
    [-501, 0, [], true],
    [1, 50_000_000, [], false],
    [1, 50_000_001, [], true],
    [100, 0, [[400, 0]], false],
    [101, 0, [[400, 0]], true],
    [
      -1,
      0,
      [
        [250, 0],
        [-250, 0],
      ],
      true,
    ],
    [
      1,
      1,
      [
        [1, 25_000_000],
        [1, 25_000_000],
      ],
      true,
    ],
  ] as const)(
    '%i credits worth %i after %j: a second person %s',
    (credits, valueMicroUsd, others, needed) => {
      const before = others.map(([each, value]) => ({ credits: each, valueMicroUsd: value }));
      expect(needsSecondPerson({ credits, valueMicroUsd }, before, FIRST_LIMITS)).toBe(needed);
    },
  );

  it('done: by one person within the limits, by two above them', () => {
    expect(answer(asking({}), adjustmentDecider.initialState)).toEqual(alone);
    expect(after(asking({}))).toMatchObject({ status: 'approved', credits: 10 });
    const others = [{ credits: 495, valueMicroUsd: 0 }];
    expect(answer(asking({}, { others }), adjustmentDecider.initialState)).toEqual(two);
    // An adjustment that needed no approval cannot be approved.
    expect(answer(approve('pia'), after(asking({})))).toEqual({ code: 'SecondPersonNeeded' });
    expect(answer(decline, after(asking({})))).toEqual({ code: 'AlreadyDecided', state: 'approved' });
  });

  it('refused: for oneself, and for who just bought from oneself', () => {
    expect(answer(asking({ by: 'ada' }), adjustmentDecider.initialState)).toEqual({ code: 'OwnInterest' });
    expect(answer(asking({ credits: -1, by: 'ada' }), adjustmentDecider.initialState)).toEqual({
      code: 'OwnInterest',
    });
    expect(answer(asking({}, { boughtFromThem: true }), adjustmentDecider.initialState)).toEqual({
      code: 'OwnInterest',
    });
    expect(answer(approve('ada'), after(request))).toEqual({ code: 'OwnInterest' });
    expect(answer(approve('quinn', { boughtFromThem: true }), after(request))).toEqual({
      code: 'OwnInterest',
    });
  });

  it('[ADM-38] is decided by who holds the role, and owes it to the asker since a day at least', () => {
    const admin = (at: string): Partial<Approver> => ({ roles: new Map([['admin', { by: 'pia', at }]]) });
    for (const decided of [approve, declined]) {
      expect(answer(decided('quinn', { roles: new Map() }), after(request))).toEqual({ code: 'NotAllowed' });
      expect(answer(decided('quinn', admin('2026-11-19T12:00:01.000Z')), after(request))).toEqual({
        code: 'SecondPersonNeeded',
      });
      expect(answer(decided('quinn', admin('2026-11-19T12:00:00.000Z')), after(request))).toHaveLength(1);
    }
  });

  it('refused: worth more than a plan asks, or worth anything as mere goodwill', () => {
    const worth = { makesGood: 'lot-1', valueMicroUsd: 1_998_000 };
    const theirs = { leftToMakeGoodMicroUsd: 9_990_000 };
    expect(answer(asking(worth, theirs), adjustmentDecider.initialState)).toEqual(alone);
    expect(
      answer(asking({ ...worth, valueMicroUsd: 1_998_001 }, theirs), adjustmentDecider.initialState),
    ).toEqual({ code: 'CreditsWorthTooMuch', mostMicroUsd: 1_998_000 });
    expect(answer(asking({ valueMicroUsd: 1 }), adjustmentDecider.initialState)).toEqual({
      code: 'NothingToMakeGood',
    });
    expect(answer(asking(worth), adjustmentDecider.initialState)).toEqual({ code: 'NothingToMakeGood' });
    expect(answer(asking({ credits: -10, valueMicroUsd: 1 }), adjustmentDecider.initialState)).toEqual({
      code: 'CreditsWorthTooMuch',
      mostMicroUsd: 0,
    });
  });

  it('[ADM-30] refused: worth more than what it makes good was, less what is made good already', () => {
    const asked = (valueMicroUsd: number, leftToMakeGoodMicroUsd: number) =>
      answer(
        asking({ makesGood: 'lot-1', valueMicroUsd }, { leftToMakeGoodMicroUsd }),
        adjustmentDecider.initialState,
      );
    expect(asked(1_000_000, 1_000_000)).toEqual(alone);
    expect(asked(1_000_001, 1_000_000)).toEqual({ code: 'MadeGoodAlready', mostMicroUsd: 1_000_000 });
    expect(asked(1, 0)).toEqual({ code: 'MadeGoodAlready', mostMicroUsd: 0 });
    // Credits without value may still name a lot.
    expect(asked(0, 0)).toEqual(alone);
  });
});

describe('[ADM-480] what two people give together in 30 days', () => {
  const ago = (days: number, valueMicroUsd: number): AgreedTogether => ({
    adjustmentId: 'before',
    by: 'quinn',
    approvedBy: 'pia',
    valueMicroUsd,
    at: new Date(Date.parse(now) - days * 86_400_000).toISOString(),
  });
  const asked = after(
    asking(
      { credits: 600, valueMicroUsd: 50_000_000, makesGood: 'lot-1' },
      { leftToMakeGoodMicroUsd: 50_000_000 },
    ),
  );
  const holds = (...names: StaffRole[]): Partial<Approver> => ({
    roles: new Map(names.map((role) => [role, { by: 'system:operator', at: '2025-01-01T00:00:00.000Z' }])),
  });

  it('done: up to 2,000 dollars, whichever of them asked', () => {
    const together = [ago(29.9, 1_950_000_000), ago(30, 1_950_000_000)];
    expect(answer(approve('quinn', {}, together), asked)).toEqual(['AdjustmentApproved']);
  });

  it('refused: more, which finance approves; credits worth nothing do not count', () => {
    const together = [ago(29.9, 1_950_000_001)];
    expect(answer(approve('quinn', {}, together), asked)).toEqual({ code: 'FinanceNeeded' });
    for (const roles of [holds('finance'), holds('admin', 'finance')])
      expect(answer(approve('petra', roles, together), asked)).toEqual(['AdjustmentApproved']);
    expect(answer(approve('quinn', {}, together), after(request))).toEqual(['AdjustmentApproved']);
    // Finance decides only on adjustments that cost money.
    expect(answer(approve('petra', holds('finance')), after(request))).toEqual({ code: 'NotAllowed' });
  });
});

describe('[ADM-03] an adjustment of more than 500 credits', () => {
  it('done: waits, and is approved by somebody else', () => {
    expect(after(request).status).toBe('waiting');
    expect(answer(approve('quinn'), after(request))).toEqual(['AdjustmentApproved']);
    expect(after(request, approve('quinn'))).toMatchObject({
      status: 'approved',
      approvedBy: 'quinn',
      credits: 501,
    });
  });

  it('refused: by the one who asked, before and after it was decided', () => {
    expect(answer(approve('pia'), after(request))).toEqual({ code: 'SecondPersonNeeded' });
    expect(answer(approve('pia'), after(request, approve('quinn')))).toEqual({ code: 'SecondPersonNeeded' });
  });

  it('refused: what nobody asked for, or was decided otherwise', () => {
    expect(answer(approve('quinn'), adjustmentDecider.initialState)).toEqual({ code: 'NotFound' });
    expect(answer(approve('quinn'), after(request, decline))).toEqual({
      code: 'AlreadyDecided',
      state: 'declined',
    });
    expect(answer(decline, after(request, approve('quinn')))).toEqual({
      code: 'AlreadyDecided',
      state: 'approved',
    });
    expect(answer(fail, after(request))).toEqual({ code: 'NotFound' });
  });

  it('repeated: records nothing', () => {
    expect(answer(request, after(request))).toEqual([]);
    expect(answer(approve('quinn'), after(request, approve('quinn')))).toEqual([]);
    expect(answer(decline, after(request, decline))).toEqual([]);
    expect(answer(fail, after(request, approve('quinn'), fail))).toEqual([]);
  });

  it('fails for good when what was approved can no longer be taken', () => {
    const failed = after(request, approve('quinn'), fail);
    expect(failed.status).toBe('failed');
    expect(answer(approve('quinn'), failed)).toEqual({ code: 'AlreadyDecided', state: 'failed' });
  });
});
