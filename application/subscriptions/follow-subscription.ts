import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  isRunning,
  subscriptionDecider,
  type ProviderStatus,
  type SubscriptionCommand,
} from '../../domain/subscriptions/subscription.js';
import { decideInOrder } from '../../domain/shared/decider.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { PaymentGateway, type PaidInvoice, type StripeSubscription } from '../payments/payment-gateway.js';
import { Streams } from '../shared/streams.js';
import { FinishPlanChange, FollowSubscription } from './commands.js';

@CommandHandler(FollowSubscription)
export class FollowSubscriptionHandler implements ICommandHandler<FollowSubscription> {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Safe to repeat in any order. The status is read after the stream, so an older report never overwrites a newer one.
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
    // The stream has another subscription that is running. If it has ended meanwhile, this one replaces it.
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

/** Returns the commands for a paid invoice and the subscription's present status. */
export function providerCommands(about: {
  userId: string;
  subscriptionId: string;
  now: string;
  known: StripeSubscription | undefined;
  invoice?: PaidInvoice | undefined;
}): SubscriptionCommand[] {
  const { userId, subscriptionId, now, known, invoice } = about;
  const commands: SubscriptionCommand[] = [];
  if (invoice)
    for (const { plan, periodStart, periodEnd } of invoice.lines)
      commands.push({
        type: 'RecordPaidInvoice',
        userId,
        subscriptionId,
        invoiceId: invoice.invoiceId,
        plan,
        periodStart: periodStart.toISOString(),
        periodEnd: periodEnd.toISOString(),
        now,
      });
  if (known) {
    const providerStatus = providerStatusOf(known);
    commands.push({ type: 'RecordProviderStatus', userId, subscriptionId, providerStatus, now });
  }
  return commands;
}

const STATUS: Record<string, ProviderStatus['status']> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past due',
  unpaid: 'past due',
  paused: 'past due',
  canceled: 'ended',
  incomplete_expired: 'ended',
};

export const providerStatusOf = (known: StripeSubscription): ProviderStatus => ({
  status: STATUS[known.status] ?? 'incomplete',
  plan: known.plan,
  periodStart: known.currentPeriodStart.toISOString(),
  periodEnd: known.currentPeriodEnd.toISOString(),
  cancelAtPeriodEnd: known.cancelAtPeriodEnd,
  scheduledPlan: known.scheduledPlan,
  awaits: known.awaits && { ...known.awaits, expiresAt: known.awaits.expiresAt.toISOString() },
  overdue: known.overdue,
  unpaid: known.unpaid,
});
