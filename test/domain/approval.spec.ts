import { describe, expect, it } from '@jest/globals';
import { FIRST_LIMITS } from '../../domain/shared/limits.js';
import { refunderDecider } from '../../domain/approvals/adjustment.js';
import {
  approvalDecider,
  type ApprovalCommand,
  type ApprovalState,
} from '../../domain/approvals/approval.js';
import type { Approver } from '../../domain/shared/second-person.js';

const now = '2026-11-20T12:00:00.000Z';
const hoursLater = (hours: number) => new Date(Date.parse(now) + hours * 3_600_000).toISOString();
const request: ApprovalCommand = {
  type: 'RequestApproval',
  approvalId: 'r1',
  work: { kind: 'grant-role', userId: 'dev', role: 'finance' },
  by: 'pia',
  beneficiary: 'dev',
  reason: 'Closes the months with us',
  now,
};
/** An approver who has been an administrator for long, with changes in `more`. */
const somebody = (by: string, more: Partial<Approver> = {}): Approver => ({
  by,
  roles: new Map([['admin', { by: 'system:operator', at: '2025-01-01T00:00:00.000Z' }]]),
  boughtFromThem: false,
  ...more,
});
const approve = (who: Approver, at = now): ApprovalCommand => ({ type: 'Approve', ...who, now: at });
const decline = (who: Approver): ApprovalCommand => ({ type: 'Decline', ...who, reason: 'Not yet', now });
const withdraw = (by: string): ApprovalCommand => ({ type: 'Withdraw', by, now });
const done: ApprovalCommand = { type: 'RecordOutcome', now };
const impossible: ApprovalCommand = { type: 'RecordOutcome', obstacle: 'NotFound', now };
const lapse = (hours: number): ApprovalCommand => ({ type: 'Lapse', now: hoursLater(hours) });

const answer = (command: ApprovalCommand, state: ApprovalState) => {
  const decision = approvalDecider.decide(command, state);
  return decision.accepted ? decision.events.map(({ type }) => type) : decision.rejection;
};
const after = (...commands: ApprovalCommand[]): ApprovalState =>
  commands.reduce((state, command) => {
    const decision = approvalDecider.decide(command, state);
    if (!decision.accepted) throw new Error(decision.rejection.code);
    return decision.events.reduce(approvalDecider.evolve, state);
  }, approvalDecider.initialState);

describe('[ADM-31] what needs a second person', () => {
  const sam = somebody('sam');
  const asked = after(request);

  it('done: waits a week, is agreed to and carried out', () => {
    expect(answer(request, approvalDecider.initialState)).toEqual(['ApprovalRequested']);
    expect(asked).toMatchObject({ status: 'waiting', lapsesAt: '2026-11-27T12:00:00.000Z' });
    expect(answer(approve(sam), asked)).toEqual(['ApprovalGiven']);
    expect(after(request, approve(sam))).toMatchObject({ status: 'approved', approvedBy: 'sam' });
    expect(after(request, approve(sam), done).status).toBe('carried out');
    expect(after(request, approve(sam), impossible).status).toBe('not carried out');
  });

  it.each([
    ['who asked', somebody('pia'), 'SecondPersonNeeded'],
    ['who has something of it', somebody('dev'), 'OwnInterest'],
    ['from whom that person bought', somebody('sam', { boughtFromThem: true }), 'OwnInterest'],
    ['without a role', somebody('sam', { roles: new Map() }), 'NotAllowed'],
    [
      'with another role',
      somebody('sam', { roles: new Map([['finance', { by: 'system:operator', at: now }]]) }),
      'NotAllowed',
    ],
    [
      'made an administrator by who asked, today',
      somebody('sam', { roles: new Map([['admin', { by: 'pia', at: hoursLater(-23) }]]) }),
      'SecondPersonNeeded',
    ],
  ] as const)('refused: decided by somebody %s', (_, who, code) => {
    expect(answer(approve(who), asked)).toEqual({ code });
    expect(answer(decline(who), asked)).toEqual({ code });
  });

  it('refused: asked for by who has something of it', () => {
    const own = { ...request, by: 'dev' } as ApprovalCommand;
    expect(answer(own, approvalDecider.initialState)).toEqual({ code: 'OwnInterest' });
  });

  it('done: by an administrator whom the asker made one the day before, or somebody else today', () => {
    const madeBy = (by: string, hours: number) =>
      somebody('sam', { roles: new Map([['admin', { by, at: hoursLater(hours) }]]) });
    expect(answer(approve(madeBy('pia', -24)), asked)).toEqual(['ApprovalGiven']);
    expect(answer(approve(madeBy('zoe', -1)), asked)).toEqual(['ApprovalGiven']);
  });

  it('[ROLE-11] done: by the first administrator, whom the operator has just made', () => {
    const first = somebody('sam', { roles: new Map([['admin', { by: 'system:operator', at: now }]]) });
    expect(answer(approve(first), after({ ...request, by: 'system:operator' }))).toEqual(['ApprovalGiven']);
  });

  it('refused: what was decided otherwise, withdrawn or lapsed', () => {
    const closed = (state: string) => ({ code: 'AlreadyDecided', state });
    expect(answer(approve(sam), after(request, decline(sam)))).toEqual(closed('declined'));
    expect(answer(decline(sam), after(request, approve(sam)))).toEqual(closed('approved'));
    expect(answer(approve(sam), after(request, withdraw('pia')))).toEqual(closed('withdrawn'));
    expect(answer(withdraw('pia'), after(request, approve(sam), done))).toEqual(closed('carried out'));
    expect(answer(approve(sam, hoursLater(168)), asked)).toEqual(closed('lapsed'));
    expect(answer(approve(sam, hoursLater(167)), asked)).toEqual(['ApprovalGiven']);
    expect(answer(withdraw('sam'), asked)).toEqual({ code: 'NotAllowed' });
    expect(answer(done, asked)).toEqual(closed('waiting'));
    expect(answer(approve(sam), approvalDecider.initialState)).toEqual({ code: 'NotFound' });
  });

  it('lapses after a week, undecided only', () => {
    expect(answer(lapse(167), asked)).toEqual([]);
    expect(answer(lapse(168), asked)).toEqual(['ApprovalLapsed']);
    expect(answer(lapse(168), after(request, approve(sam)))).toEqual([]);
    expect(after(request, lapse(168)).status).toBe('lapsed');
  });

  it('repeated: records nothing', () => {
    expect(answer(request, asked)).toEqual([]);
    expect(answer(approve(sam), after(request, approve(sam), done))).toEqual([]);
    expect(answer(decline(sam), after(request, decline(sam)))).toEqual([]);
    expect(answer(withdraw('pia'), after(request, withdraw('pia')))).toEqual([]);
    expect(answer(lapse(169), after(request, lapse(168)))).toEqual([]);
    expect(answer(done, after(request, approve(sam), impossible))).toEqual([]);
  });
});

describe('[ADM-32] refunds that one administrator makes alone', () => {
  type CountedRefund = ReturnType<typeof count>;
  const count = (refundId: string, usd: number, at = now) => ({
    refundId,
    by: 'pia',
    amountMicroUsd: usd * 1_000_000,
    limitMicroUsd: FIRST_LIMITS.refundsMicroUsd,
    at,
  });
  const counted = (...refunds: CountedRefund[]) =>
    refunds.reduce((state, command) => {
      const decision = refunderDecider.decide(command, state);
      if (!decision.accepted) throw new Error(decision.rejection.code);
      return decision.events.reduce(refunderDecider.evolve, state);
    }, refunderDecider.initialState);
  const outcome = (command: CountedRefund, state = counted()) => {
    const decision = refunderDecider.decide(command, state);
    return decision.accepted ? decision.events.length : decision.rejection.code;
  };

  it('are 200 USD in 24 hours together', () => {
    expect(outcome(count('r1', 200))).toBe(1);
    expect(outcome(count('r1', 200.01))).toBe('SecondPersonNeeded');
    const state = counted(count('r1', 150), count('r2', 50));
    expect(outcome(count('r3', 0.01), state)).toBe('SecondPersonNeeded');
    expect(outcome(count('r3', 200, hoursLater(24)), state)).toBe(1);
    expect(outcome(count('r3', 1, hoursLater(23)), state)).toBe('SecondPersonNeeded');
  });

  it('repeated: counts once', () => {
    expect(outcome(count('r1', 150), counted(count('r1', 150)))).toBe(0);
  });
});
