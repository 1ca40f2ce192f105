import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRunning, subscriptionDecider } from '../../domain/subscriptions/subscription.js';
import { decideInOrder } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { PaymentGateway, type PaidInvoice, type StripeSubscription } from '../payments/payment-gateway.js';
import { Streams } from '../shared/streams.js';
import { FinishPlanChange } from './plan-changes.js';
import { providerCommands } from './provider-status.js';

/** Records the provider's present state of a subscription, and a paid invoice, in the listener's stream. */
export class FollowSubscription extends Command<void> {
  constructor(
    readonly userId: string,
    readonly subscriptionId: string,
    readonly metadata: EventMetadata,
    readonly invoice?: PaidInvoice,
  ) {
    super();
  }
}

@CommandHandler(FollowSubscription)
export class FollowSubscriptionHandler implements ICommandHandler<FollowSubscription> {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Idempotent, in any order. Reads the event stream before the provider's status: if another node records a newer
   * status meanwhile, the append fails with a version conflict.
   */
  async execute(command: FollowSubscription): Promise<void> {
    const { userId, subscriptionId, metadata, invoice } = command;
    const { rejection, before, after, known } = await this.streams.transact(metadata, async (work) => {
      const stream = await work.open(subscriptionDecider, userId);
      const before = stream.state;
      const known = await this.gateway.readSubscription(subscriptionId);
      const now = this.clock.now().toISOString();
      const commands = providerCommands({ userId, subscriptionId, now, known, invoice });
      const { events, rejection } = decideInOrder(subscriptionDecider, commands, before);
      stream.add(events);
      return { rejection, before, after: stream.state, known };
    });
    // Paid, expired or withdrawn: the provider no longer waits for the payer.
    if (isRunning(after) && after.openChange?.awaits && !known?.awaits)
      await this.commands.execute(new FinishPlanChange(userId));
    if (rejection?.code !== 'SubscriptionExists' || before.status === 'None') return;
    // Our stream has an earlier subscription as running. If the provider has ended that one, this one replaces it.
    const hasEnded = await this.hasEnded(userId, before.subscriptionId, metadata);
    return hasEnded ? this.execute(command) : this.endDuplicate(known);
  }

  private async hasEnded(userId: string, subscriptionId: string, metadata: EventMetadata): Promise<boolean> {
    await this.execute(new FollowSubscription(userId, subscriptionId, metadata));
    return (await this.streams.load(subscriptionDecider, userId)).status === 'Ended';
  }

  /** Cancels a second subscription that was paid at the same time. Its credits stay, but it is not billed again. */
  private async endDuplicate(known: StripeSubscription | undefined): Promise<void> {
    if (known && known.status === 'active' && !known.cancelAtPeriodEnd)
      await this.gateway.scheduleCancellation(known.subscriptionId, `duplicate:${known.subscriptionId}`);
  }
}
