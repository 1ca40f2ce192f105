import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { GrantPromotion } from './commands.js';
import { CreditExecutor } from './credit-commands.js';

@CommandHandler(GrantPromotion)
export class GrantPromotionHandler implements ICommandHandler<GrantPromotion> {
  constructor(private readonly executor: CreditExecutor) {}

  execute({ grant }: GrantPromotion): Promise<{ granted: boolean; balance: number }> {
    return this.executor.grantPromotion(grant, { correlationId: grant.grantId });
  }
}
