import { describe, expect, it } from '@jest/globals';
import {
  decideAdjustment,
  evolveAdjustment,
  initialAdjustment,
  needsSecondPerson,
  type AdjustmentCommand,
  type AdjustmentState,
} from '../../domain/credits/adjustment.js';

const now = '2026-11-20T12:00:00.000Z';
const request: AdjustmentCommand = {
  type: 'RequestAdjustment',
  adjustmentId: 'a1',
  userId: 'ada',
  credits: 501,
  valueMicroUsd: 0,
  explanation: 'Prize',
  by: 'pia',
  now,
};
const approve = (by: string): AdjustmentCommand => ({ type: 'ApproveAdjustment', by, now });
const decline: AdjustmentCommand = { type: 'DeclineAdjustment', by: 'pia', now };
const fail: AdjustmentCommand = { type: 'FailAdjustment', balance: 3, now };

const after = (...commands: AdjustmentCommand[]): AdjustmentState =>
  commands.reduce((state, command) => {
    const decision = decideAdjustment(command, state);
    if (!decision.accepted) throw new Error(decision.rejection.code);
    return decision.events.reduce(evolveAdjustment, state);
  }, initialAdjustment);
const answer = (command: AdjustmentCommand, state: AdjustmentState) => {
  const decision = decideAdjustment(command, state);
  return decision.accepted ? decision.events.map(({ type }) => type) : decision.rejection;
};

describe('[ADM-03] an adjustment of more than 500 credits', () => {
  it.each([
    [500, false],
    [-500, false],
    [501, true],
    [-501, true],
  ])('%i credits: a second person %s', (credits, needed) => {
    expect(needsSecondPerson(credits)).toBe(needed);
  });

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
    expect(answer(approve('quinn'), initialAdjustment)).toEqual({ code: 'NotFound' });
    expect(answer(approve('quinn'), after(request, decline))).toEqual({
      code: 'AlreadyDecided',
      status: 'declined',
    });
    expect(answer(decline, after(request, approve('quinn')))).toEqual({
      code: 'AlreadyDecided',
      status: 'approved',
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
    expect(answer(approve('quinn'), failed)).toEqual({ code: 'AlreadyDecided', status: 'failed' });
  });
});
