import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ApprovalState } from '../../domain/approvals/approval.js';
import { Approvals, APPROVALS_ACTOR, type ApprovalResult } from './approvals.js';

export type ApprovedRequest = Exclude<ApprovalState, { status: 'none' }>;

/** Runs approved work of any context. */
export abstract class ApprovedWork {
  /** Returns the code of the obstacle if the work is impossible. Idempotent. */
  abstract perform(request: ApprovedRequest): Promise<string | undefined>;
}

/** Runs the work of an approved request. Idempotent. */
export class CarryOutRequest extends Command<ApprovalResult> {
  constructor(readonly approvalId: string) {
    super();
  }
}

@CommandHandler(CarryOutRequest)
export class CarryOutRequestHandler implements ICommandHandler<CarryOutRequest> {
  constructor(
    private readonly approvals: Approvals,
    private readonly work: ApprovedWork,
  ) {}

  async execute({ approvalId }: CarryOutRequest): Promise<ApprovalResult> {
    const state = await this.approvals.load(approvalId);
    if (state.status === 'none') return { accepted: false, rejection: { code: 'NotFound' } };
    if (state.status !== 'approved') return { accepted: true, id: approvalId, status: state.status };
    const obstacle = await this.work.perform(state);
    const outcome = { type: 'RecordOutcome', ...(obstacle !== undefined && { obstacle }) } as const;
    return this.approvals.decide(approvalId, outcome, APPROVALS_ACTOR);
  }
}
