import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { complainantDecider } from '../../domain/complaints/complainant.js';
import { complaintDecider, type ComplaintCommand } from '../../domain/complaints/complaint.js';
import { assert } from '../../domain/shared/decision.js';
import type { Remark } from '../../domain/shared/remark.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import { CarryOutComplaints } from './carry-out-complaints.js';
import {
  AnswerComplaint,
  AnswerCounterNotice,
  BarComplainant,
  ConfirmComplaint,
  FileCounterNotice,
  HoldComplainedAbout,
  LapseComplaint,
  WithdrawComplaint,
  type ComplaintOutcome,
} from './commands.js';
import { ComplaintContacts } from './contacts.js';

const ACTOR = 'system:complaints';
const NOT_FOUND = { accepted: false, rejection: { code: 'NotFound' } } as const;

/** Decides about complaints, and carries out the result. */
@Injectable()
export class DecidedComplaints {
  constructor(
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly effects: CarryOutComplaints,
    private readonly clock: Clock,
  ) {}

  async decide(
    complaintId: string,
    decided: Unclocked<ComplaintCommand>,
    actor: string,
  ): Promise<ComplaintOutcome> {
    const command = { ...decided, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: randomUUID() };
    const outcome = await this.streams.execute(complaintDecider, complaintId, command, metadata);
    if (!outcome.accepted) return outcome;
    assert(outcome.state.status !== 'none', 'a decided complaint exists');
    for (const event of outcome.events) await this.effects.carryOut(event);
    return { accepted: true, id: complaintId, status: outcome.state.status };
  }

  load(complaintId: string) {
    return this.streams.load(complaintDecider, complaintId);
  }

  /** Keeps a remark that is about both sides: it is forgotten when either of them is erased. */
  async keep(text: string, complaintId: string): Promise<Remark | undefined> {
    const complaint = await this.load(complaintId);
    if (complaint.status === 'none') return undefined;
    const { creatorId, by } = complaint;
    return this.remarks.keep(text, {
      stream: complaintDecider.streamOf(complaintId),
      about: by === undefined || by === creatorId ? [creatorId] : [creatorId, by],
    });
  }
}

@CommandHandler(ConfirmComplaint)
export class ConfirmComplaintHandler implements ICommandHandler<ConfirmComplaint> {
  constructor(private readonly complaints: DecidedComplaints) {}

  execute({ complaintId }: ConfirmComplaint): Promise<ComplaintOutcome> {
    return this.complaints.decide(complaintId, { type: 'ConfirmComplaint' }, ACTOR);
  }
}

@CommandHandler(WithdrawComplaint)
export class WithdrawComplaintHandler implements ICommandHandler<WithdrawComplaint> {
  constructor(private readonly complaints: DecidedComplaints) {}

  execute({ complaintId, by }: WithdrawComplaint): Promise<ComplaintOutcome> {
    return this.complaints.decide(complaintId, { type: 'WithdrawComplaint' }, by);
  }
}

@CommandHandler(LapseComplaint)
export class LapseComplaintHandler implements ICommandHandler<LapseComplaint> {
  constructor(private readonly complaints: DecidedComplaints) {}

  execute({ complaintId }: LapseComplaint): Promise<ComplaintOutcome> {
    return this.complaints.decide(complaintId, { type: 'LapseComplaint' }, ACTOR);
  }
}

@CommandHandler(HoldComplainedAbout)
export class HoldComplainedAboutHandler implements ICommandHandler<HoldComplainedAbout> {
  constructor(private readonly complaints: DecidedComplaints) {}

  execute({ complaintId, by }: HoldComplainedAbout): Promise<ComplaintOutcome> {
    return this.complaints.decide(complaintId, { type: 'HoldComplainedAbout', by }, by);
  }
}

@CommandHandler(AnswerComplaint)
export class AnswerComplaintHandler implements ICommandHandler<AnswerComplaint> {
  constructor(private readonly complaints: DecidedComplaints) {}

  async execute({ complaintId, by, answer }: AnswerComplaint): Promise<ComplaintOutcome> {
    const { reason, ...decided } = answer;
    const remark = await this.complaints.keep(reason, complaintId);
    if (!remark) return NOT_FOUND;
    return this.complaints.decide(complaintId, { type: 'AnswerComplaint', ...decided, by, remark }, by);
  }
}

@CommandHandler(FileCounterNotice)
export class FileCounterNoticeHandler implements ICommandHandler<FileCounterNotice> {
  constructor(private readonly complaints: DecidedComplaints) {}

  async execute({ complaintId, by, text }: FileCounterNotice): Promise<ComplaintOutcome> {
    const remark = await this.complaints.keep(text, complaintId);
    if (!remark) return NOT_FOUND;
    return this.complaints.decide(complaintId, { type: 'FileCounterNotice', by, remark }, by);
  }
}

@CommandHandler(AnswerCounterNotice)
export class AnswerCounterNoticeHandler implements ICommandHandler<AnswerCounterNotice> {
  constructor(private readonly complaints: DecidedComplaints) {}

  async execute({ complaintId, by, answer }: AnswerCounterNotice): Promise<ComplaintOutcome> {
    const { decision, reason } = answer;
    const remark = await this.complaints.keep(reason, complaintId);
    if (!remark) return NOT_FOUND;
    const command = { type: 'AnswerCounterNotice', by, decision, remark } as const;
    return this.complaints.decide(complaintId, command, by);
  }
}

@CommandHandler(BarComplainant)
export class BarComplainantHandler implements ICommandHandler<BarComplainant> {
  constructor(
    private readonly complaints: DecidedComplaints,
    private readonly contacts: ComplaintContacts,
    private readonly remarks: Remarks,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ complaintId, by, bar }: BarComplainant) {
    const complaint = await this.complaints.load(complaintId);
    if (complaint.status === 'none') return NOT_FOUND;
    const userId = complaint.by;
    const complainantId = userId ?? (await this.contacts.find(complaintId))?.complainantId;
    if (complainantId === undefined) return NOT_FOUND;
    if (by === complainantId || by === complaint.creatorId)
      return { accepted: false, rejection: { code: 'OwnInterest' } } as const;
    const stream = complainantDecider.streamOf(complainantId);
    const remark = await this.remarks.keep(bar.reason, {
      stream,
      about: userId === undefined ? [] : [userId],
    });
    const type = bar.isBarred ? 'BarComplainant' : 'AdmitComplainant';
    const now = this.clock.now().toISOString();
    const command = { type, complainantId, by, remark, now } as const;
    const metadata = { actor: by, correlationId: complaintId };
    await this.streams.execute(complainantDecider, complainantId, command, metadata);
    return { accepted: true } as const;
  }
}

export const COMPLAINT_HANDLERS = [
  AnswerComplaintHandler,
  AnswerCounterNoticeHandler,
  BarComplainantHandler,
  ConfirmComplaintHandler,
  FileCounterNoticeHandler,
  HoldComplainedAboutHandler,
  LapseComplaintHandler,
  WithdrawComplaintHandler,
];
