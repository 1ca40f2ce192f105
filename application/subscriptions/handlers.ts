import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  ChangeSubscription,
  FinishPlanChange,
  WithdrawPendingChange,
  type SubscriptionOutcome,
} from './commands.js';
import { PlanChanges } from './plan-changes.js';

@CommandHandler(ChangeSubscription)
export class ChangeSubscriptionHandler implements ICommandHandler<ChangeSubscription> {
  constructor(private readonly changes: PlanChanges) {}

  async execute({ userId, request, requestKey }: ChangeSubscription): Promise<SubscriptionOutcome> {
    const reserved = await this.changes.reserve(userId, request, requestKey);
    if (reserved.outcome === 'refused') return { accepted: false, rejection: reserved.rejection };
    if (reserved.outcome === 'nothing to do') return { accepted: true, underWay: false };
    const outcome = await this.changes.carryOut(userId, reserved.subscriptionId, reserved.change);
    if (outcome === 'done') return { accepted: true, underWay: false };
    if (outcome === 'open' || outcome === 'awaits payer') return { accepted: true, underWay: true };
    return {
      accepted: false,
      rejection: { code: outcome === 'PaymentDeclined' ? outcome : 'ChangeRefused' },
    };
  }
}

@CommandHandler(WithdrawPendingChange)
export class WithdrawPendingChangeHandler implements ICommandHandler<WithdrawPendingChange> {
  constructor(private readonly changes: PlanChanges) {}

  async execute({ userId }: WithdrawPendingChange): Promise<{ underWay: boolean }> {
    const outcome = await this.changes.withdraw(userId);
    return { underWay: outcome === 'open' || outcome === 'awaits payer' };
  }
}

@CommandHandler(FinishPlanChange)
export class FinishPlanChangeHandler implements ICommandHandler<FinishPlanChange> {
  constructor(private readonly changes: PlanChanges) {}

  execute({ userId }: FinishPlanChange): Promise<boolean> {
    return this.changes.finish(userId);
  }
}
