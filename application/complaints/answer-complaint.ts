import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ComplaintAnswer } from './contract.js';
import { NOT_FOUND, DecidedComplaints, type ComplaintOutcome } from './decided-complaints.js';

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
