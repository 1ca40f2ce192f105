import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { subscriptionDecider, type SubscriptionRejection } from '../../domain/subscriptions/subscription.js';
import type { Outcome } from '../../domain/shared/decision.js';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import { paths } from '../pages/paths.js';
import { Clock } from '../shared/clock.js';
import { PaymentGateway } from '../payments/payment-gateway.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { Streams } from '../shared/streams.js';

export class StartCheckout extends Command<Outcome<{ url: string }, SubscriptionRejection>> {
  constructor(readonly listener: { userId: string; email: string; plan: PlanId }) {
    super();
  }
}

/** The addresses to which the provider's pages return the listener. */
export class CheckoutReturn {
  constructor(
    readonly successUrl: string,
    readonly cancelUrl: string,
    readonly settingsUrl: string,
  ) {}

  static on(publicUrl: string): CheckoutReturn {
    const settings = `${publicUrl}${paths.settings}`;
    return new CheckoutReturn(`${settings}?checkout=success`, `${settings}?checkout=cancelled`, settings);
  }
}

/** Opens the payment page for a first plan. Returning from it grants nothing; the paid invoice does. */
@CommandHandler(StartCheckout)
export class StartCheckoutHandler implements ICommandHandler<StartCheckout> {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly returnTo: CheckoutReturn,
    private readonly clock: Clock,
  ) {}

  async execute({ listener }: StartCheckout): Promise<CommandResult<StartCheckout>> {
    const { userId, email, plan } = listener;
    const now = this.clock.now();
    const subscription = await this.streams.load(subscriptionDecider, userId);
    const decision = subscriptionDecider.decide(
      { type: 'Subscribe', userId, plan, now: now.toISOString() },
      subscription,
    );
    if (!decision.accepted) return { accepted: false, rejection: decision.rejection };
    const customerId = await this.records.customerOf(userId);
    const checkout = await this.gateway.createCheckout({
      userId,
      email,
      plan,
      ...(customerId ? { customerId } : {}),
      successUrl: this.returnTo.successUrl,
      cancelUrl: this.returnTo.cancelUrl,
      idempotencyKey: randomUUID(),
    });
    // Stored before the listener can pay, so that no payment arrives from an unknown customer.
    if (checkout.customerId && checkout.customerId !== customerId)
      await this.records.rememberCustomer(userId, checkout.customerId, now);
    return { accepted: true, url: checkout.url };
  }
}
