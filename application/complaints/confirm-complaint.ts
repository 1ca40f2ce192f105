import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DecidedComplaints, type ComplaintOutcome } from './decided-complaints.js';

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

const ACTOR = 'system:complaints';

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
