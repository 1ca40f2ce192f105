import { Command } from '@nestjs/cqrs';
import type {
  ComplaintKind,
  ComplaintRejection,
  ComplaintStatus,
  ComplaintSubject,
  CounterDecision,
} from '../../domain/complaints/complaint.js';
import type { ComplaintAnswer } from './contract.js';

export type ComplaintOutcome =
  | { accepted: true; id: string; status: ComplaintStatus }
  | { accepted: false; rejection: ComplaintRejection };

/** Who complains: a user, or somebody who has to confirm by mail. */
export type Complaining = { userId: string } | { name: string; email: string };

export interface Filing {
  subject: { kind: ComplaintSubject['kind']; id: string };
  kind: ComplaintKind;
  /** Everything that was said; empty: nothing. */
  text: string;
  /** Only staff read it. */
  inConfidence?: boolean;
}

export type FilingOutcome =
  | { accepted: true; id: string; status: 'unconfirmed' | 'open' }
  | {
      accepted: false;
      rejection: { code: 'NotFound' | 'ComplaintsBarred' | 'TooManyRequests' | 'AlreadyFiled' };
    };

export class FileComplaint extends Command<FilingOutcome> {
  constructor(
    readonly by: Complaining,
    readonly filing: Filing,
    /** Of the report that it comes from; once: where the same person's complaint about it waits, there is no other. */
    readonly from: { complaintId?: string; once?: boolean } = {},
  ) {
    super();
  }
}

/** Whoever gets mails at the address that was given says that the complaint is theirs. */
export class ConfirmComplaint extends Command<ComplaintOutcome> {
  constructor(readonly complaintId: string) {
    super();
  }
}

export class WithdrawComplaint extends Command<ComplaintOutcome> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Nobody confirmed it in time. */
export class LapseComplaint extends Command<ComplaintOutcome> {
  constructor(readonly complaintId: string) {
    super();
  }
}

/** Off sale until the complaint is answered. */
export class HoldComplainedAbout extends Command<ComplaintOutcome> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
  ) {
    super();
  }
}

/** An administrator answers; what follows is done at once. */
export class AnswerComplaint extends Command<ComplaintOutcome> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
    readonly answer: ComplaintAnswer,
  ) {
    super();
  }
}

/** The creator objects to what was done. */
export class FileCounterNotice extends Command<ComplaintOutcome> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
    readonly text: string,
  ) {
    super();
  }
}

export class AnswerCounterNotice extends Command<ComplaintOutcome> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
    readonly answer: { decision: CounterDecision; reason: string },
  ) {
    super();
  }
}

/** Whether more complaints of who sent this one are taken. */
export class BarComplainant extends Command<
  { accepted: true } | { accepted: false; rejection: { code: 'NotFound' | 'OwnInterest' } }
> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
    readonly bar: { isBarred: boolean; reason: string },
  ) {
    super();
  }
}
