import { evolveBy } from '../shared/by-type.js';
import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';
import { ANSWER_BUSINESS_DAYS, businessDaysAfter, COUNTER_BUSINESS_DAYS } from './deadlines.js';

export const COMPLAINT_KINDS = [
  'copyright',
  'trademark',
  'privacy',
  'illegal',
  'defective',
  'misleading',
  'origin',
  'other',
] as const;
export type ComplaintKind = (typeof COMPLAINT_KINDS)[number];

export const SUBJECT_KINDS = ['sample', 'pack', 'creator'] as const;
export interface ComplaintSubject {
  kind: (typeof SUBJECT_KINDS)[number];
  id: string;
  /** The hash of the reported recording; samples only. */
  sha256?: string;
}

export const COMPLAINT_DECISIONS = ['upheld', 'partly', 'rejected'] as const;
export type ComplaintDecision = (typeof COMPLAINT_DECISIONS)[number];
/**
 * `refuse`: the sample is no longer sold, and buyers keep their licences. `take down`: the work is removed, and
 * buyers get their credits back. `return`: the sample stays on sale, and buyers get their credits back.
 */
export const MEASURES = ['none', 'refuse', 'take down', 'return'] as const;
export type Measure = (typeof MEASURES)[number];
export const COUNTER_DECISIONS = ['restored', 'stands'] as const;
export type CounterDecision = (typeof COUNTER_DECISIONS)[number];
export const COMPLAINT_STATUSES = [
  'unconfirmed',
  'open',
  ...COMPLAINT_DECISIONS,
  'withdrawn',
  'lapsed',
] as const;
export type ComplaintStatus = (typeof COMPLAINT_STATUSES)[number];

export interface FiledComplaint {
  complaintId: string;
  kind: ComplaintKind;
  subject: ComplaintSubject;
  /** The owner of the reported work or profile. */
  creatorId: string;
  /** The user who complains. Absent for a complainant without a session, who confirms by mail. */
  by?: string;
  /**
   * Only staff and the complainant may read the text. The creator sees the complaint only during a hold or after a
   * measure.
   */
  inConfidence?: true;
}

export type ComplaintState =
  | { status: 'none' }
  | (FiledComplaint & {
      status: ComplaintStatus;
      isHeld: boolean;
      measure: Measure;
      isStrike: boolean;
      decidedBy?: string;
      /** The deadline for the creator's counter-notice. */
      counterBy?: string;
      counter?: 'open' | CounterDecision;
    });

export type ComplaintCommand = { now: string } & (
  | ({ type: 'FileComplaint'; remark?: Remark } & FiledComplaint)
  | { type: 'ConfirmComplaint' }
  | { type: 'WithdrawComplaint' }
  | { type: 'LapseComplaint' }
  | { type: 'HoldComplainedAbout'; by: string }
  | {
      type: 'AnswerComplaint';
      by: string;
      decision: ComplaintDecision;
      measure: Measure;
      isStrike: boolean;
      remark: Remark;
    }
  | { type: 'FileCounterNotice'; by: string; remark: Remark }
  | { type: 'AnswerCounterNotice'; by: string; decision: CounterDecision; remark: Remark }
);

type Fact<Type extends string, Data = object> = {
  type: Type;
  data: { complaintId: string; at: string } & Data;
};

export type ComplaintEvent =
  | Fact<'ComplaintFiled', FiledComplaint & Partial<Remark> & { answerBy?: string }>
  | Fact<'ComplaintConfirmed', { answerBy: string }>
  | Fact<'ComplaintHeld', { by: string }>
  | Fact<
      'ComplaintAnswered',
      {
        by: string;
        decision: ComplaintDecision;
        measure: Measure;
        isStrike: boolean;
        counterBy?: string;
      } & Remark
    >
  | Fact<'CounterNoticeFiled', { by: string; answerBy: string } & Remark>
  | Fact<'CounterNoticeAnswered', { by: string; decision: CounterDecision } & Remark>
  | Fact<'ComplaintWithdrawn'>
  | Fact<'ComplaintLapsed'>;

export type ComplaintRejection =
  | { code: 'NotFound' }
  /** The administrator is the complainant or the accused creator, and so may not decide. */
  | { code: 'OwnInterest' }
  | { code: 'AlreadyDecided'; state: ComplaintStatus | 'open' | CounterDecision; by?: string }
  | { code: 'MeasureUnfit' }
  /**
   * The measure was neither `refuse` nor `take down`, the deadline has passed, or a counter-notice exists
   * already.
   */
  | { code: 'CounterNoticeClosed' };

const WITHHOLDING: readonly Measure[] = ['refuse', 'take down'];
const POSSIBLE: Record<ComplaintSubject['kind'], readonly Measure[]> = {
  sample: MEASURES,
  pack: ['none', 'take down'],
  creator: ['none'],
};

export const measuresFor = (kind: ComplaintSubject['kind']): readonly Measure[] => POSSIBLE[kind];

/** Returns the deadline for a counter-notice, or undefined if the measure removes nothing. */
export const counterNoticeUntil = (measure: Measure, at: string): string | undefined =>
  WITHHOLDING.includes(measure) ? businessDaysAfter(at, COUNTER_BUSINESS_DAYS) : undefined;

function isFit(
  { kind }: ComplaintSubject,
  { decision, measure, isStrike }: { decision: ComplaintDecision; measure: Measure; isStrike: boolean },
): boolean {
  const isMild = measure === 'none' || decision !== 'rejected';
  const isDeserved = !isStrike || WITHHOLDING.includes(measure);
  return isMild && isDeserved && POSSIBLE[kind].includes(measure);
}

function decide(
  command: ComplaintCommand,
  state: ComplaintState,
): Decision<ComplaintEvent, ComplaintRejection> {
  const { now: at } = command;
  if (command.type === 'FileComplaint') {
    const { type: _, now: __, remark, ...filed } = command;
    if (state.status !== 'none') return accept();
    const answerBy = filed.by === undefined ? undefined : businessDaysAfter(at, ANSWER_BUSINESS_DAYS);
    return accept<ComplaintEvent>({ type: 'ComplaintFiled', data: { ...filed, ...remark, answerBy, at } });
  }
  if (state.status === 'none') return reject({ code: 'NotFound' });
  const { complaintId, status, subject, creatorId } = state;
  const closed = reject({ code: 'AlreadyDecided' as const, state: status, by: state.decidedBy });
  const isOwn = (userId: string) => userId === creatorId || userId === state.by;
  switch (command.type) {
    case 'ConfirmComplaint': {
      if (status !== 'unconfirmed') return closed;
      const answerBy = businessDaysAfter(at, ANSWER_BUSINESS_DAYS);
      return accept<ComplaintEvent>({ type: 'ComplaintConfirmed', data: { complaintId, at, answerBy } });
    }
    case 'LapseComplaint':
      if (status !== 'unconfirmed') return accept();
      return accept<ComplaintEvent>({ type: 'ComplaintLapsed', data: { complaintId, at } });
    case 'WithdrawComplaint':
      if (status !== 'open') return closed;
      return accept<ComplaintEvent>({ type: 'ComplaintWithdrawn', data: { complaintId, at } });
    case 'HoldComplainedAbout': {
      if (isOwn(command.by)) return reject({ code: 'OwnInterest' });
      if (status !== 'open') return closed;
      if (subject.kind !== 'sample') return reject({ code: 'MeasureUnfit' });
      if (state.isHeld) return accept();
      return accept<ComplaintEvent>({ type: 'ComplaintHeld', data: { complaintId, at, by: command.by } });
    }
    case 'AnswerComplaint': {
      const { by, decision, measure, isStrike, remark } = command;
      if (isOwn(by)) return reject({ code: 'OwnInterest' });
      if (status !== 'open') return closed;
      if (!isFit(subject, command)) return reject({ code: 'MeasureUnfit' });
      const counterBy = counterNoticeUntil(measure, at);
      const data = { complaintId, at, by, decision, measure, isStrike, counterBy, ...remark };
      return accept<ComplaintEvent>({ type: 'ComplaintAnswered', data });
    }
    case 'FileCounterNotice': {
      const { by, remark } = command;
      if (by !== creatorId) return reject({ code: 'NotFound' });
      const { counterBy, counter } = state;
      if (counterBy === undefined || counter !== undefined || at > counterBy)
        return reject({ code: 'CounterNoticeClosed' });
      const answerBy = businessDaysAfter(at, ANSWER_BUSINESS_DAYS);
      return accept<ComplaintEvent>({
        type: 'CounterNoticeFiled',
        data: { complaintId, at, by, answerBy, ...remark },
      });
    }
    case 'AnswerCounterNotice': {
      const { by, decision, remark } = command;
      if (isOwn(by)) return reject({ code: 'OwnInterest' });
      if (state.counter === undefined) return reject({ code: 'NotFound' });
      if (state.counter !== 'open') return reject({ code: 'AlreadyDecided', state: state.counter });
      const data = { complaintId, at, by, decision, ...remark };
      return accept<ComplaintEvent>({ type: 'CounterNoticeAnswered', data });
    }
    default:
      return unreachable(command);
  }
}

type Filed = Exclude<ComplaintState, { status: 'none' }>;

const evolveFiled = evolveBy<Filed, Exclude<ComplaintEvent, { type: 'ComplaintFiled' }>>({
  ComplaintConfirmed: (state) => ({ ...state, status: 'open' }),
  ComplaintHeld: (state) => ({ ...state, isHeld: true }),
  ComplaintAnswered: (state, { decision: status, measure, isStrike, by: decidedBy, counterBy }) => ({
    ...state,
    status,
    measure,
    isStrike,
    decidedBy,
    counterBy,
  }),
  CounterNoticeFiled: (state) => ({ ...state, counter: 'open' }),
  CounterNoticeAnswered: (state, { decision }) => ({ ...state, counter: decision }),
  ComplaintWithdrawn: (state) => ({ ...state, status: 'withdrawn' }),
  ComplaintLapsed: (state) => ({ ...state, status: 'lapsed' }),
});

function evolve(state: ComplaintState, event: ComplaintEvent): ComplaintState {
  if (event.type !== 'ComplaintFiled') return state.status === 'none' ? state : evolveFiled(state, event);
  const { complaintId, kind, subject, creatorId, by, inConfidence } = event.data;
  const status = by === undefined ? 'unconfirmed' : 'open';
  const filed = { complaintId, kind, subject, creatorId, by, inConfidence, status } as const;
  return { ...filed, isHeld: false, measure: 'none', isStrike: false };
}

/**
 * Stream `complaint-{complaintId}`: a complaint about a sample, pack or profile, and the outcome of the
 * complaint.
 */
export const complaintDecider: Decider<ComplaintCommand, ComplaintState, ComplaintEvent, ComplaintRejection> =
  { streamOf: (complaintId) => `complaint-${complaintId}`, initialState: { status: 'none' }, decide, evolve };
