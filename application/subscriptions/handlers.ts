import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import {
  decideSubscription,
  planChange,
  type Subscription,
  type SubscriptionCommand,
  type SubscriptionRejection,
} from '../../domain/subscriptions/subscription.js';
import { Clock } from '../ports/clock.js';
import { StreamVersionConflict } from '../ports/event-store.js';
import { PaymentDeclined, PaymentGateway } from '../ports/payment-gateway.js';
import { FollowSubscription, standingOf } from './follow-subscription.js';

/** What a listener may ask of a running subscription. */
export type SubscriptionWish =
  | { type: 'ChangePlan'; plan: PlanId }
  | { type: 'ScheduleCancellation' }
  | { type: 'WithdrawScheduledChange' };

export type SubscriptionOutcome =
  { accepted: true } | { accepted: false; rejection: SubscriptionRejection | { code: 'PaymentDeclined' } };

export class ChangeSubscription extends Command<SubscriptionOutcome> {
  constructor(
    readonly userId: string,
    readonly wish: SubscriptionWish,
    /** The browser's key: the provider too does the change once for it. */
    readonly idempotencyKey: string,
  ) {
    super();
  }
}

const MAX_ROUNDS = 4;

/** Judges a wish, has the provider do it, and records it. */
@CommandHandler(ChangeSubscription)
export class ChangeSubscriptionHandler implements ICommandHandler<ChangeSubscription> {
  constructor(
    private readonly follow: FollowSubscription,
    private readonly gateway: PaymentGateway,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, wish, idempotencyKey }: ChangeSubscription): Promise<SubscriptionOutcome> {
    let recorded: SubscriptionCommand | undefined;
    for (let round = 1; ; round += 1) {
      const { subscription, version } = await this.follow.load(userId);
      const command = recorded ?? this.#commandFor(userId, wish, subscription);
      const decision = decideSubscription(command, subscription);
      if (!decision.accepted) {
        // Once the provider has done it, a refusal only means that its webhook recorded it first.
        if (recorded) return { accepted: true };
        return { accepted: false, rejection: decision.rejection };
      }
      let events = decision.events;
      if (!recorded && subscription.status !== 'None') {
        try {
          recorded = await this.#carryOut(command, subscription.subscriptionId, idempotencyKey);
        } catch (error) {
          if (error instanceof PaymentDeclined)
            return { accepted: false, rejection: { code: 'PaymentDeclined' } };
          throw error;
        }
        const again = decideSubscription(recorded, subscription);
        events = again.accepted ? again.events : events;
      }
      try {
        await this.follow.append(userId, version, events, { actor: userId, correlationId: idempotencyKey });
        return { accepted: true };
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || round >= MAX_ROUNDS) throw error;
      }
    }
  }

  #commandFor(userId: string, wish: SubscriptionWish, subscription: Subscription): SubscriptionCommand {
    const now = this.clock.now().toISOString();
    if (wish.type === 'ChangePlan') return planChange(subscription, { userId, plan: wish.plan, now });
    return { type: wish.type, userId, now };
  }

  /** @returns the command that records what the provider has done */
  async #carryOut(
    command: SubscriptionCommand,
    subscriptionId: string,
    idempotencyKey: string,
  ): Promise<SubscriptionCommand> {
    switch (command.type) {
      case 'UpgradePlan': {
        const upgraded = await this.gateway.upgrade(subscriptionId, command.plan, idempotencyKey);
        const { userId, now } = command;
        return { type: 'RecordStanding', userId, subscriptionId, standing: standingOf(upgraded), now };
      }
      case 'ScheduleDowngrade':
        await this.gateway.scheduleDowngrade(subscriptionId, command.plan, idempotencyKey);
        return command;
      case 'ScheduleCancellation':
        await this.gateway.scheduleCancellation(subscriptionId, idempotencyKey);
        return command;
      case 'WithdrawScheduledChange':
        await this.gateway.withdrawScheduledChange(subscriptionId, idempotencyKey);
        return command;
      default:
        throw new Error(`Impossible: ${command.type} is no wish of a listener`);
    }
  }
}
