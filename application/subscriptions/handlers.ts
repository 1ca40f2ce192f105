import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ChangeSubscription, FinishPlanChange, type SubscriptionOutcome } from './commands.js';
import { PlanChanges } from './plan-changes.js';

/** Reserves a request, has the provider carry it out, and records the outcome. */
@CommandHandler(ChangeSubscription)
export class ChangeSubscriptionHandler implements ICommandHandler<ChangeSubscription> {
  constructor(private readonly changes: PlanChanges) {}

  async execute({ userId, request, requestKey }: ChangeSubscription): Promise<SubscriptionOutcome> {
    const reserved = await this.changes.reserve(userId, request, requestKey);
    if (reserved.outcome === 'refused') return { accepted: false, rejection: reserved.rejection };
    if (reserved.outcome === 'nothing to do') return { accepted: true, underWay: false };
    const failure = await this.changes.carryOut(userId, reserved.subscriptionId, reserved.change);
    return failure === null || failure === 'open'
      ? { accepted: true, underWay: failure === 'open' }
      : { accepted: false, rejection: { code: failure } };
  }
}

@CommandHandler(FinishPlanChange)
export class FinishPlanChangeHandler implements ICommandHandler<FinishPlanChange> {
  constructor(private readonly changes: PlanChanges) {}

  execute({ userId }: FinishPlanChange): Promise<boolean> {
    return this.changes.finish(userId);
  }
}
