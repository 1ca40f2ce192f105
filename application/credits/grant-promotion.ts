import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CreditOutcome } from './credit-corrections.js';
import { CreditExecutor } from './credit-executor.js';

export class GrantPromotion extends Command<CreditOutcome> {
  constructor(readonly grant: { userId: string; grantId: string; credits: number; grantedAt: Date }) {
    super();
  }
}

@CommandHandler(GrantPromotion)
export class GrantPromotionHandler implements ICommandHandler<GrantPromotion> {
  constructor(private readonly executor: CreditExecutor) {}

  execute({ grant }: GrantPromotion): Promise<CreditOutcome> {
    return this.executor.grantPromotion(grant, { correlationId: grant.grantId });
  }
}
