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

/** The complainant: a user, or a visitor who has to confirm by mail. */
export type Complaining = { userId: string } | { name: string; email: string };

export interface Filing {
  subject: { kind: ComplaintSubject['kind']; id: string };
  kind: ComplaintKind;
  /** The complete statement. Empty if the complainant wrote nothing. */
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
    /**
     * `complaintId`: the id of the report that this complaint comes from. `once`: refuses the complaint while this
     * user has an open one about the same subject.
     */
    readonly from: { complaintId?: string; once?: boolean } = {},
  ) {
    super();
  }
}

/** Confirms a visitor's complaint from the link in a mail. */
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

/** The complainant did not confirm in time. */
export class LapseComplaint extends Command<ComplaintOutcome> {
  constructor(readonly complaintId: string) {
    super();
  }
}

/** Takes the subject off sale until the complaint is answered. */
export class HoldComplainedAbout extends Command<ComplaintOutcome> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Answers a complaint and carries the answer out at once. */
export class AnswerComplaint extends Command<ComplaintOutcome> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
    readonly answer: ComplaintAnswer,
  ) {
    super();
  }
}

/** The creator objects to the measure. */
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

/** Bars the sender of this complaint from filing more, or admits them again. */
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
