import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '../../domain/shared/decision.js';
import type {
  ChangeFailure,
  SubscriptionRejection,
  ChangeRequest,
} from '../../domain/subscriptions/subscription.js';
import { PlanChanges } from './plan-changes.js';

type RefusedChange = Extract<ChangeFailure, 'PaymentDeclined' | 'ChangeRefused'>;

/** `underWay`: the change is recorded, but waits for the provider or the payer. */
export type SubscriptionOutcome = Outcome<
  { underWay: boolean },
  SubscriptionRejection | { code: RefusedChange }
>;

export class ChangeSubscription extends Command<SubscriptionOutcome> {
  constructor(
    readonly userId: string,
    readonly request: ChangeRequest,
    /** Identifies the request. A repeated request resumes the change that it reserved. */
    readonly requestKey: string,
  ) {
    super();
  }
}

/** Withdraws a change that awaits its payer, if there is one. Answers whether a change is still under way. */
export class WithdrawPendingChange extends Command<{ accepted: true; underWay: boolean }> {
  constructor(readonly userId: string) {
    super();
  }
}

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

  async execute({ userId }: WithdrawPendingChange): Promise<CommandResult<WithdrawPendingChange>> {
    const outcome = await this.changes.withdraw(userId);
    return { accepted: true, underWay: outcome === 'open' || outcome === 'awaits payer' };
  }
}
