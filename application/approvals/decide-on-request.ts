import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Approvals, APPROVALS_ACTOR, type ApprovalResult } from './approvals.js';
import { CarryOutRequest } from './carry-out-request.js';

/** Approves a request and runs its work at once. */
export class ApproveRequest extends Command<ApprovalResult> {
  constructor(
    readonly approvalId: string,
    readonly by: string,
  ) {
    super();
  }
}

export class DeclineRequest extends Command<ApprovalResult> {
  constructor(
    readonly approvalId: string,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}

/** Withdraws a request, by the person who made it. */
export class WithdrawRequest extends Command<ApprovalResult> {
  constructor(
    readonly approvalId: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Ends a request that was not decided in time. */
export class LapseRequest extends Command<ApprovalResult> {
  constructor(readonly approvalId: string) {
    super();
  }
}

@CommandHandler(ApproveRequest)
export class ApproveRequestHandler implements ICommandHandler<ApproveRequest> {
  constructor(
    private readonly approvals: Approvals,
    private readonly commands: CommandBus,
  ) {}

  async execute({ approvalId, by }: ApproveRequest): Promise<ApprovalResult> {
    const decided = await this.approvals.approve(approvalId, by);
    return decided.accepted ? this.commands.execute(new CarryOutRequest(approvalId)) : decided;
  }
}

@CommandHandler(DeclineRequest)
export class DeclineRequestHandler implements ICommandHandler<DeclineRequest> {
  constructor(private readonly approvals: Approvals) {}

  async execute({ approvalId, by, reason }: DeclineRequest): Promise<ApprovalResult> {
    const request = await this.approvals.load(approvalId);
    if (request.status === 'none') return { accepted: false, rejection: { code: 'NotFound' } };
    const approver = await this.approvals.approver(approvalId, by);
    const said = await this.approvals.keep(reason, request);
    return this.approvals.decide(approvalId, { type: 'Decline', ...approver, ...said }, by);
  }
}

@CommandHandler(WithdrawRequest)
export class WithdrawRequestHandler implements ICommandHandler<WithdrawRequest> {
  constructor(private readonly approvals: Approvals) {}

  execute({ approvalId, by }: WithdrawRequest): Promise<ApprovalResult> {
    return this.approvals.decide(approvalId, { type: 'Withdraw', by }, by);
  }
}

@CommandHandler(LapseRequest)
export class LapseRequestHandler implements ICommandHandler<LapseRequest> {
  constructor(private readonly approvals: Approvals) {}

  execute({ approvalId }: LapseRequest): Promise<ApprovalResult> {
    return this.approvals.decide(approvalId, { type: 'Lapse' }, APPROVALS_ACTOR);
  }
}
