import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CounterDecision } from '../../domain/complaints/complaint.js';
import { NOT_FOUND, DecidedComplaints, type ComplaintOutcome } from './decided-complaints.js';

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
