import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestedApproval } from '../../domain/approvals/approval.js';
import { Approvals, type ApprovalResult } from './approvals.js';

/** Requests the approval of a second person. A repeated id has no effect. */
export class RequestApproval extends Command<ApprovalResult> {
  constructor(readonly requested: RequestedApproval) {
    super();
  }
}

@CommandHandler(RequestApproval)
export class RequestApprovalHandler implements ICommandHandler<RequestApproval> {
  constructor(private readonly approvals: Approvals) {}

  async execute({ requested }: RequestApproval): Promise<ApprovalResult> {
    const { approvalId, by, reason } = requested;
    const said = await this.approvals.keep(reason, requested);
    return this.approvals.decide(approvalId, { type: 'RequestApproval', ...requested, ...said }, by);
  }
}
