import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SettleInvoice } from '../payments/settle-invoice.js';
import { INVOICE_PAID, SUBSCRIPTION_CHANGED } from '../payments/event-types.js';
import { PaymentGateway, type PaymentEvent } from '../payments/payment-gateway.js';
import type { PaymentListener } from '../payments/payment-events.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { FollowSubscription } from './follow-subscription.js';

const PAID: ReadonlySet<string> = new Set(INVOICE_PAID);

/** Handles paid invoices and changed subscriptions. Reads each again at the provider. */
@Injectable()
export class SubscriptionFacts implements PaymentListener {
  readonly types = [...INVOICE_PAID, ...SUBSCRIPTION_CHANGED];

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly commands: CommandBus,
  ) {}

  /** @returns whether the event was about one of our listeners */
  async handle({ id, type, objectId, subscriptionId, accountId }: PaymentEvent): Promise<boolean> {
    // Events of a creator's account concern only the creator and the provider.
    if (accountId) return false;
    const cause = { actor: 'system:payments', causationId: id };
    if (PAID.has(type)) {
      const invoice = await this.gateway.readInvoice(objectId);
      if (!invoice) return false;
      return (await this.commands.execute(new SettleInvoice(invoice, cause))).accepted;
    }
    if (!subscriptionId) return false;
    const subscription = await this.gateway.readSubscription(subscriptionId);
    const userId =
      subscription && (await this.records.payerOf(subscription.customerId, async () => subscription.userId));
    if (!userId) return false;
    const metadata = { ...cause, correlationId: `subscription-${subscriptionId}` };
    await this.commands.execute(new FollowSubscription(userId, subscriptionId, metadata));
    return true;
  }
}
