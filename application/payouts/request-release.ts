import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/shared/decision.js';
import type { ApprovalResult } from '../approvals/approvals.js';
import { RequestApproval } from '../approvals/decide-on-request.js';
import { SalesUnderReviewQueries } from './queries.js';

export class RequestRelease extends Command<ApprovalResult> {
  constructor(readonly asked: { approvalId: string; purchaseId: string; reason: string; by: string }) {
    super();
  }
}

@CommandHandler(RequestRelease)
export class RequestReleaseHandler implements ICommandHandler<RequestRelease> {
  constructor(
    private readonly sales: SalesUnderReviewQueries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ asked }: RequestRelease): Promise<ApprovalResult> {
    const { purchaseId, ...request } = asked;
    const sale = await this.sales.find(purchaseId);
    if (!sale) return reject({ code: 'NotFound' });
    const { creatorId, buyerId, shareMicroUsd, sharedBy = [] } = sale;
    const shared = sharedBy.length > 0 ? { sharedBy } : {};
    const work = { kind: 'release-sale', purchaseId, creatorId, buyerId, shareMicroUsd, ...shared } as const;
    return this.commands.execute(new RequestApproval({ ...request, work, beneficiary: creatorId }));
  }
}
