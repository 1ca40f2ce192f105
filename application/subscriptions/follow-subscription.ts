import { Injectable } from '@nestjs/common';
import {
  subscriptionDecider,
  type ChangeFailure,
  type ProviderStatus,
  type Subscription,
  type SubscriptionCommand,
} from '../../domain/subscriptions/subscription.js';
import { decideInOrder } from '../../domain/shared/decider.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { PaymentGateway, type PaidInvoice, type StripeSubscription } from '../payments/payment-gateway.js';
import { Streams } from '../shared/streams.js';

/** Keeps a listener's stream in step with what the payment provider says now. */
@Injectable()
export class FollowSubscription {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly clock: Clock,
  ) {}

  load(userId: string): Promise<Subscription> {
    return this.streams.load(subscriptionDecider, userId);
  }

  /**
   * Records what a paid invoice and the subscription's present status add to what is known. Safe to repeat,
   * in any order: the status is read after the stream, so an older word never overwrites a newer one.
   */
  async catchUp(
    userId: string,
    subscriptionId: string,
    metadata: EventMetadata,
    invoice?: PaidInvoice,
  ): Promise<void> {
    let otherCompared = false;
    for (;;) {
      const { rejection, subscription, known } = await this.streams.transact(metadata, async (work) => {
        const stream = await work.open(subscriptionDecider, userId);
        const subscription = stream.state;
        const known = await this.gateway.readSubscription(subscriptionId);
        const commands = this.#commands(userId, subscriptionId, known, invoice);
        const { events, rejection } = decideInOrder(subscriptionDecider, commands, subscription);
        stream.add(events);
        return { rejection, subscription, known };
      });
      if (rejection?.code !== 'SubscriptionExists' || subscription.status === 'None') return;
      // Another one is thought to run. When it has ended, the next round takes this one in its place.
      if (!otherCompared && (await this.#hasEnded(userId, subscription.subscriptionId, metadata))) {
        otherCompared = true;
        continue;
      }
      await this.#endDuplicate(known);
      return;
    }
  }

  /**
   * Records how the subscription stands now, and with it what became of a change.
   * @returns why it failed; null when it was done
   */
  async closeChange<Failure extends ChangeFailure>(
    userId: string,
    subscriptionId: string,
    { changeId, failure }: { changeId: string; failure: Failure | null },
    metadata: EventMetadata,
  ): Promise<Failure | null> {
    return this.streams.transact(metadata, async (work) => {
      const stream = await work.open(subscriptionDecider, userId);
      const known = await this.gateway.readSubscription(subscriptionId);
      const providerStatus = known ? providerStatusOf(known) : null;
      const now = this.clock.now().toISOString();
      const close = { type: 'CloseChange', userId, changeId, providerStatus, failure, now } as const;
      const commands = [...this.#commands(userId, subscriptionId, known, undefined), close];
      stream.add(decideInOrder(subscriptionDecider, commands, stream.state).events);
      return stream.events.some(({ type }) => type === 'PlanChangeCompleted') ? null : failure;
    });
  }

  #commands(
    userId: string,
    subscriptionId: string,
    known: StripeSubscription | undefined,
    invoice: PaidInvoice | undefined,
  ): SubscriptionCommand[] {
    const now = this.clock.now().toISOString();
    const commands: SubscriptionCommand[] = (invoice?.lines ?? []).map((line) => ({
      type: 'RecordPaidInvoice',
      userId,
      subscriptionId,
      invoiceId: (invoice as PaidInvoice).invoiceId,
      plan: line.plan,
      periodStart: line.periodStart.toISOString(),
      periodEnd: line.periodEnd.toISOString(),
      now,
    }));
    if (known)
      commands.push({
        type: 'RecordProviderStatus',
        userId,
        subscriptionId,
        providerStatus: providerStatusOf(known),
        now,
      });
    return commands;
  }

  async #hasEnded(userId: string, subscriptionId: string, metadata: EventMetadata): Promise<boolean> {
    await this.catchUp(userId, subscriptionId, metadata);
    return (await this.load(userId)).status === 'Ended';
  }

  /** Paid twice at once: the credits stay, but it is not billed again. */
  async #endDuplicate(known: StripeSubscription | undefined): Promise<void> {
    if (known && known.status === 'active' && !known.cancelAtPeriodEnd)
      await this.gateway.scheduleCancellation(known.subscriptionId, `duplicate:${known.subscriptionId}`);
  }
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
});
