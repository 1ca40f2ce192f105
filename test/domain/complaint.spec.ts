import { describe, expect, it } from '@jest/globals';
import {
  complaintDecider,
  type ComplaintCommand,
  type ComplaintState,
} from '../../domain/complaints/complaint.js';
import { complainantDecider } from '../../domain/complaints/complainant.js';
import { businessDaysAfter, lapsedBefore } from '../../domain/complaints/deadlines.js';
import {
  openStrikes,
  strikeDecider,
  type StrikeEvent,
  type Strikes,
} from '../../domain/publishing/strikes.js';
import type { Unclocked } from '../../application/shared/streams.js';

/** A Thursday. */
const NOW = '2026-11-19T15:00:00.000Z';
const remark = { remarkId: 'r', remarkSha256: 'f'.repeat(64) };
const FILED = {
  type: 'FileComplaint',
  complaintId: 'c',
  kind: 'copyright',
  subject: { kind: 'sample', id: 's' },
  creatorId: 'teo',
} as const;
const ANSWER = { type: 'AnswerComplaint', by: 'ines', isStrike: false, remark } as const;
type Command = Unclocked<ComplaintCommand>;

function after(...commands: (Command & { at?: string })[]) {
  let state: ComplaintState = complaintDecider.initialState;
  const answers: unknown[] = [];
  for (const { at = NOW, ...command } of commands) {
    const decision = complaintDecider.decide({ ...command, now: at } as ComplaintCommand, state);
    answers.push(decision.accepted ? decision.events.map(({ type }) => type) : decision.rejection.code);
    if (decision.accepted) state = decision.events.reduce(complaintDecider.evolve, state);
  }
  return { state, answers, last: answers.at(-1) };
}
const open: Command = { ...FILED, by: 'lio' };
const taken: Command = { ...ANSWER, decision: 'upheld', measure: 'take down', isStrike: true };
const object: Command = { type: 'FileCounterNotice', by: 'teo', remark };
const judge = (decision: 'restored' | 'stands'): Command => ({
  type: 'AnswerCounterNotice',
  by: 'ines',
  decision,
  remark,
});

describe('deadlines', () => {
  it('[COMP-01] count Monday to Friday, in UTC', () => {
    const days = (from: string, count: number) => businessDaysAfter(from, count).slice(0, 10);
    expect(days('2026-11-19T15:00:00Z', 1)).toBe('2026-11-20');
    expect(days('2026-11-19T15:00:00Z', 2)).toBe('2026-11-23');
    expect(days('2026-11-20T23:59:00Z', 7)).toBe('2026-12-01');
    for (const weekend of ['2026-11-21T00:00:00Z', '2026-11-22T12:00:00Z'])
      expect(days(weekend, 1)).toBe('2026-11-23');
    expect(lapsedBefore(new Date(NOW)).toISOString().slice(0, 10)).toBe('2026-11-12');
  });
});

describe('a complaint', () => {
  it('[COMP-02] of a user waits at once, of anybody else when it is confirmed, and lapses where nobody does', () => {
    expect(after(open).state).toMatchObject({ status: 'open', by: 'lio' });
    expect(after(FILED).state).toMatchObject({ status: 'unconfirmed' });
    expect(after(FILED, taken).last).toBe('AlreadyDecided');
    expect(after(FILED, { type: 'ConfirmComplaint' }).state).toMatchObject({ status: 'open' });
    expect(after(open, { type: 'LapseComplaint' }).last).toEqual([]);
    const lapsed = after(FILED, { type: 'LapseComplaint' }, { type: 'ConfirmComplaint' });
    expect(lapsed).toMatchObject({ state: { status: 'lapsed' }, last: 'AlreadyDecided' });
  });

  it('[COMP-03] is answered once, by nobody whose interest it is, with what can be done about it', () => {
    expect(after(open, taken).state).toMatchObject({ status: 'upheld', measure: 'take down' });
    expect(after(open, taken, taken).last).toBe('AlreadyDecided');
    for (const by of ['teo', 'lio']) expect(after(open, { ...taken, by }).last).toBe('OwnInterest');
    const answer = (subject: 'sample' | 'pack' | 'creator', more: Partial<typeof taken>) =>
      after({ ...open, subject: { kind: subject, id: 'x' } } as Command, { ...taken, ...more } as Command)
        .last;
    for (const [subject, more] of [
      ['pack', { measure: 'refuse' }],
      ['creator', { measure: 'take down' }],
      ['creator', { measure: 'none' }],
      ['sample', { decision: 'rejected' }],
      ['sample', { measure: 'return' }],
    ] as const)
      expect(answer(subject, more)).toBe('MeasureUnfit');
    expect(answer('creator', { measure: 'none', isStrike: false })).toEqual(['ComplaintAnswered']);
    expect(answer('sample', { decision: 'rejected', measure: 'none', isStrike: false })).toEqual([
      'ComplaintAnswered',
    ]);
  });

  it('[COMP-04] has a sound held while it waits, once', () => {
    const hold: Command = { type: 'HoldComplainedAbout', by: 'ines' };
    expect(after(open, hold, hold).answers.slice(1)).toEqual([['ComplaintHeld'], []]);
    expect(after({ ...open, subject: { kind: 'pack', id: 'p' } } as Command, hold).last).toBe('MeasureUnfit');
    expect(after(open, taken, hold).last).toBe('AlreadyDecided');
  });

  it('[COMP-05] is objected to by its creator alone, once, until the fourteenth business day', () => {
    expect(after(open, taken, { ...object, at: '2026-12-09T15:00:00.000Z' }).last).toEqual([
      'CounterNoticeFiled',
    ]);
    expect(after(open, taken, { ...object, at: '2026-12-09T15:00:00.001Z' }).last).toBe(
      'CounterNoticeClosed',
    );
    expect(after(open, taken, object, object).last).toBe('CounterNoticeClosed');
    expect(after(open, taken, { ...object, by: 'lio' } as Command).last).toBe('NotFound');
    expect(after(open, object).last).toBe('CounterNoticeClosed');
    const mild: Command = { ...ANSWER, decision: 'rejected', measure: 'none' };
    expect(after(open, mild, object).last).toBe('CounterNoticeClosed');
    expect(after(open, taken, judge('restored')).last).toBe('NotFound');
    expect(after(open, taken, object, judge('restored')).state).toMatchObject({ counter: 'restored' });
    expect(after(open, taken, object, judge('stands'), judge('restored')).last).toBe('AlreadyDecided');
  });

  it('[COMP-06] is withdrawn as long as it waits', () => {
    expect(after(open, { type: 'WithdrawComplaint' }).state).toMatchObject({ status: 'withdrawn' });
    expect(after(open, taken, { type: 'WithdrawComplaint' }).last).toBe('AlreadyDecided');
  });
});

it('[COMP-07] a strike that was lifted counts no more, and a late repeat does not record it again', () => {
  let state: Strikes = strikeDecider.initialState;
  const say = (type: 'RecordStrike' | 'LiftStrike', id: string) => {
    const because = { kind: 'complaint', id } as const;
    const decision = strikeDecider.decide({ type, userId: 'teo', because, by: 'ines', now: NOW }, state);
    const events: readonly StrikeEvent[] = decision.accepted ? decision.events : [];
    state = events.reduce(strikeDecider.evolve, state);
    return events.map((event) => event.type);
  };
  expect(say('LiftStrike', 'a')).toEqual([]);
  for (const id of ['a', 'b']) say('RecordStrike', id);
  expect(say('LiftStrike', 'a')).toEqual(['StrikeLifted']);
  expect(say('RecordStrike', 'a')).toEqual([]);
  expect(openStrikes(state, new Date(NOW))).toBe(1);
});

it('[COMP-08] who complained without any reason is barred and admitted, each once', () => {
  const command = { complainantId: 'x', by: 'ines', remark, now: NOW };
  const bar = (isBarred: boolean, type: 'BarComplainant' | 'AdmitComplainant') =>
    complainantDecider.decide({ ...command, type }, { isBarred });
  expect(bar(false, 'BarComplainant')).toMatchObject({ events: [{ type: 'ComplainantBarred' }] });
  expect(bar(true, 'BarComplainant')).toMatchObject({ events: [] });
  expect(bar(true, 'AdmitComplainant')).toMatchObject({ events: [{ type: 'ComplainantAdmitted' }] });
});
