import { describe, expect, it } from '@jest/globals';
import { FIRST_LIMITS } from '../../domain/shared/limits.js';
import {
  needsSecondPerson,
  type AdjustmentFacts,
  type AgreedTogether,
} from '../../domain/approvals/adjustment.js';
import {
  approvalDecider,
  type ApprovalCommand,
  type ApprovalState,
} from '../../domain/approvals/approval.js';
import { oldAdjustmentDecider } from '../../domain/approvals/old-adjustment.js';
import type { Approver, StaffRole } from '../../domain/shared/second-person.js';

const now = '2026-11-20T12:00:00.000Z';
const FACTS = { others: [], limits: FIRST_LIMITS, mostMicroUsdPerCredit: 199_800, boughtFromThem: false };
/** A request of Pia for Ada. */
const asking = (
  more: { by?: string; credits?: number; valueMicroUsd?: number; makesGood?: string },
  facts: Partial<AdjustmentFacts> = {},
): ApprovalCommand => {
  const { by = 'pia', ...work } = more;
  return {
    type: 'RequestApproval',
    approvalId: 'a1',
    work: { kind: 'adjustment', userId: 'ada', credits: 10, valueMicroUsd: 0, ...work },
    beneficiary: 'ada',
    reason: 'Prize',
    by,
    facts: { ...FACTS, ...facts },
    now,
  };
};
const request = asking({ credits: 501 });
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
): ApprovalCommand => ({ type: 'Approve', ...somebody(by, more), together });
const declined = (by: string, more: Partial<Approver> = {}): ApprovalCommand => ({
  type: 'Decline',
  reason: 'Too much',
  ...somebody(by, more),
});
const decline = declined('quinn');
const fail: ApprovalCommand = { type: 'RecordOutcome', obstacle: 'InsufficientCredits', now };

const after = (...commands: ApprovalCommand[]): ApprovalState =>
  commands.reduce((state, command) => {
    const decision = approvalDecider.decide(command, state);
    if (!decision.accepted) throw new Error(decision.rejection.code);
    return decision.events.reduce(approvalDecider.evolve, state);
  }, approvalDecider.initialState);
const answer = (command: ApprovalCommand, state: ApprovalState) => {
  const decision = approvalDecider.decide(command, state);
  return decision.accepted ? decision.events.map(({ type }) => type) : decision.rejection;
};

describe('[ADM-06] an adjustment', () => {
  const alone = ['ApprovalRequested', 'ApprovalNotNeeded'];
  const two = ['ApprovalRequested'];

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
      const facts = {
        others: others.map(([each, value]) => ({ credits: each, valueMicroUsd: value })),
        limits: FIRST_LIMITS,
      };
      expect(needsSecondPerson({ credits, valueMicroUsd }, facts)).toBe(needed);
    },
  );

  it('done: by one person within the limits, by two above them', () => {
    expect(answer(asking({}), approvalDecider.initialState)).toEqual(alone);
    expect(after(asking({}))).toMatchObject({ status: 'approved', work: { credits: 10 } });
    const others = [{ credits: 495, valueMicroUsd: 0 }];
    expect(answer(asking({}, { others }), approvalDecider.initialState)).toEqual(two);
    // An adjustment that needed no approval cannot be approved.
    expect(answer(approve('pia'), after(asking({})))).toEqual({ code: 'SecondPersonNeeded' });
    expect(answer(decline, after(asking({})))).toEqual({ code: 'AlreadyDecided', state: 'approved' });
  });

  it('refused: for oneself, and for who just bought from oneself', () => {
    expect(answer(asking({ by: 'ada' }), approvalDecider.initialState)).toEqual({ code: 'OwnInterest' });
    expect(answer(asking({ credits: -1, by: 'ada' }), approvalDecider.initialState)).toEqual({
      code: 'OwnInterest',
    });
    expect(answer(asking({}, { boughtFromThem: true }), approvalDecider.initialState)).toEqual({
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
    const theirs = { leftToCompensateMicroUsd: 9_990_000 };
    expect(answer(asking(worth, theirs), approvalDecider.initialState)).toEqual(alone);
    expect(
      answer(asking({ ...worth, valueMicroUsd: 1_998_001 }, theirs), approvalDecider.initialState),
    ).toEqual({ code: 'CreditsWorthTooMuch', mostMicroUsd: 1_998_000 });
    expect(answer(asking({ valueMicroUsd: 1 }), approvalDecider.initialState)).toEqual({
      code: 'NothingToMakeGood',
    });
    expect(answer(asking(worth), approvalDecider.initialState)).toEqual({ code: 'NothingToMakeGood' });
    expect(answer(asking({ credits: -10, valueMicroUsd: 1 }), approvalDecider.initialState)).toEqual({
      code: 'CreditsWorthTooMuch',
      mostMicroUsd: 0,
    });
  });

  it('[ADM-30] refused: worth more than what it makes good was, less what is made good already', () => {
    const asked = (valueMicroUsd: number, leftToCompensateMicroUsd: number) =>
      answer(
        asking({ makesGood: 'lot-1', valueMicroUsd }, { leftToCompensateMicroUsd }),
        approvalDecider.initialState,
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
      { leftToCompensateMicroUsd: 50_000_000 },
    ),
  );
  const holds = (...names: StaffRole[]): Partial<Approver> => ({
    roles: new Map(names.map((role) => [role, { by: 'system:operator', at: '2025-01-01T00:00:00.000Z' }])),
  });

  it('done: up to 2,000 dollars, whichever of them asked', () => {
    const together = [ago(29.9, 1_950_000_000), ago(30, 1_950_000_000)];
    expect(answer(approve('quinn', {}, together), asked)).toEqual(['ApprovalGiven']);
  });

  it('refused: more, which finance approves; credits worth nothing do not count', () => {
    const together = [ago(29.9, 1_950_000_001)];
    expect(answer(approve('quinn', {}, together), asked)).toEqual({ code: 'FinanceNeeded' });
    for (const roles of [holds('finance'), holds('admin', 'finance')])
      expect(answer(approve('petra', roles, together), asked)).toEqual(['ApprovalGiven']);
    expect(answer(approve('quinn', {}, together), after(request))).toEqual(['ApprovalGiven']);
    // Finance decides only on adjustments that cost money.
    expect(answer(approve('petra', holds('finance')), after(request))).toEqual({ code: 'NotAllowed' });
  });
});

describe('[ADM-03] an adjustment of more than 500 credits', () => {
  it('done: waits, and is approved by somebody else', () => {
    expect(after(request).status).toBe('waiting');
    expect(answer(approve('quinn'), after(request))).toEqual(['ApprovalGiven']);
    expect(after(request, approve('quinn'))).toMatchObject({
      status: 'approved',
      approvedBy: 'quinn',
      work: { credits: 501 },
    });
  });

  it('refused: by the one who asked, before and after it was decided', () => {
    expect(answer(approve('pia'), after(request))).toEqual({ code: 'SecondPersonNeeded' });
    expect(answer(approve('pia'), after(request, approve('quinn')))).toEqual({ code: 'SecondPersonNeeded' });
  });

  it('refused: what nobody asked for, or was decided otherwise', () => {
    expect(answer(approve('quinn'), approvalDecider.initialState)).toEqual({ code: 'NotFound' });
    expect(answer(approve('quinn'), after(request, decline))).toEqual({
      code: 'AlreadyDecided',
      state: 'declined',
    });
    expect(answer(decline, after(request, approve('quinn')))).toEqual({
      code: 'AlreadyDecided',
      state: 'approved',
    });
    expect(answer(fail, after(request))).toEqual({ code: 'AlreadyDecided', state: 'waiting' });
  });

  it('repeated: records nothing', () => {
    expect(answer(request, after(request))).toEqual([]);
    expect(answer(approve('quinn'), after(request, approve('quinn')))).toEqual([]);
    expect(answer(decline, after(request, decline))).toEqual([]);
    expect(answer(fail, after(request, approve('quinn'), fail))).toEqual([]);
  });

  it('fails for good when what was approved can no longer be taken', () => {
    const failed = after(request, approve('quinn'), fail);
    expect(failed.status).toBe('not carried out');
    expect(answer(approve('zoe'), failed)).toEqual([]);
    expect(answer(decline, failed)).toEqual({ code: 'AlreadyDecided', state: 'not carried out' });
  });
});

describe('[ADM-630] an adjustment from before it was a kind of approval', () => {
  const asked = {
    type: 'AdjustmentRequested',
    data: {
      adjustmentId: 'a1',
      userId: 'ada',
      credits: 600,
      valueMicroUsd: 5,
      makesGood: 'lot-1',
      explanation: '',
      remarkId: 'r1',
      remarkSha256: 'ab',
      by: 'pia',
      at: now,
    },
  } as const;
  const decided = (type: string, more = {}) => ({
    type,
    data: { adjustmentId: 'a1', by: 'quinn', at: now, ...more },
  });
  const fold = (...events: object[]) =>
    (events as never[]).reduce(oldAdjustmentDecider.evolve, oldAdjustmentDecider.initialState);

  it('waits for a week, and is then decided like any other', () => {
    const waiting = fold(asked);
    expect(waiting).toEqual({
      status: 'waiting',
      approvalId: 'a1',
      work: { kind: 'adjustment', userId: 'ada', credits: 600, valueMicroUsd: 5, makesGood: 'lot-1' },
      by: 'pia',
      beneficiary: 'ada',
      reason: '',
      remarkId: 'r1',
      remarkSha256: 'ab',
      lapsesAt: '2026-11-27T12:00:00.000Z',
    });
    expect(answer(approve('quinn'), waiting)).toEqual(['ApprovalGiven']);
    expect(answer({ type: 'Lapse', now: '2026-11-27T12:00:00.000Z' }, waiting)).toEqual(['ApprovalLapsed']);
    const given = { type: 'ApprovalGiven', data: { approvalId: 'a1', by: 'quinn', at: now } };
    expect(fold(asked, given)).toMatchObject({ status: 'approved', approvedBy: 'quinn' });
    expect(oldAdjustmentDecider.streamOf('a1')).toBe('adjustment-a1');
  });

  it.each([
    ['AdjustmentMadeAlone', {}, 'approved'],
    ['AdjustmentApproved', {}, 'approved'],
    ['AdjustmentDeclined', {}, 'declined'],
    ['AdjustmentDeclined', { reason: 'No' }, 'declined'],
  ])('%s %j: it is %s', (type, more, status) => {
    expect(fold(asked, decided(type, more))).toMatchObject({ status });
  });

  it('failed after its approval', () => {
    const failed = fold(asked, decided('AdjustmentApproved'), {
      type: 'AdjustmentFailed',
      data: { adjustmentId: 'a1', balance: 3, at: now },
    });
    expect(failed.status).toBe('not carried out');
  });
});
