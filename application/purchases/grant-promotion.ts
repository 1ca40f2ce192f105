import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { GrantPromotion } from './commands.js';
import { CreditDesk } from './credit-commands.js';

@CommandHandler(GrantPromotion)
export class GrantPromotionHandler implements ICommandHandler<GrantPromotion> {
  constructor(private readonly desk: CreditDesk) {}

  execute({ grant }: GrantPromotion): Promise<{ granted: boolean; balance: number }> {
    return this.desk.grantPromotion(grant, { correlationId: grant.grantId });
  }
}
