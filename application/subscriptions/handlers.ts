import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SubscriptionRejection, Wish } from '../../domain/subscriptions/subscription.js';
import { PlanChanges, type AskedInVain } from './plan-changes.js';

/** What a listener may ask of a running subscription. */
export type SubscriptionWish = Wish;

export type SubscriptionOutcome =
  /** `underWay`: reserved, and the provider has not said yet what became of it. */
  | { accepted: true; underWay: boolean }
  | { accepted: false; rejection: SubscriptionRejection | { code: AskedInVain } };

export class ChangeSubscription extends Command<SubscriptionOutcome> {
  constructor(
    readonly userId: string,
    readonly wish: SubscriptionWish,
    /** Names the request: sent again, it goes on with the change it reserved. */
    readonly requestKey: string,
  ) {
    super();
  }
}

/** Reserves a wish, has the provider do it, and records what became of it. */
@CommandHandler(ChangeSubscription)
export class ChangeSubscriptionHandler implements ICommandHandler<ChangeSubscription> {
  constructor(private readonly changes: PlanChanges) {}

  async execute({ userId, wish, requestKey }: ChangeSubscription): Promise<SubscriptionOutcome> {
    const reserved = await this.changes.reserve(userId, wish, requestKey);
    if (reserved.outcome === 'refused') return { accepted: false, rejection: reserved.rejection };
    if (reserved.outcome === 'nothing to do') return { accepted: true, underWay: false };
    const failure = await this.changes.carryOut(userId, reserved.subscriptionId, reserved.change);
    return failure === null || failure === 'open'
      ? { accepted: true, underWay: failure === 'open' }
      : { accepted: false, rejection: { code: failure } };
  }
}
