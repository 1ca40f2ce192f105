import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { INVOICE_PAID, SUBSCRIPTION_CHANGED } from './event-types.js';
import { PaymentGateway, type PaymentEvent } from './payment-gateway.js';
import { PaymentListeners } from './payment-listener.js';
import { PaymentRecords } from './payment-records.js';
import { FollowSubscription, SettleInvoice } from '../subscriptions/commands.js';

const PAID: ReadonlySet<string> = new Set(INVOICE_PAID);
const STATUS_CHANGED: ReadonlySet<string> = new Set(SUBSCRIPTION_CHANGED);

export type WebhookOutcome = 'handled' | 'repeated' | 'ignored' | 'failed' | 'refused';

/** Counts what the provider tells us. */
export abstract class WebhookCounter {
  /** @param type the provider's; `unknown` of what is not from the provider */
  abstract count(type: string, outcome: WebhookOutcome): void;
}

/** Webhooks: verified, handled once per event id, and not trusted: their subject is read again at the provider. */
@Injectable()
export class PaymentEvents {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly listeners: PaymentListeners,
    private readonly counter: WebhookCounter,
  ) {}

  /**
   * @returns the outcome; any error means "send it again"
   * @throws WebhookRefused if it is not from the provider; then nothing is stored
   */
  async receive(rawBody: Buffer, signature: string): Promise<'handled' | 'repeated' | 'ignored'> {
    const event = this.#verified(rawBody, signature);
    let outcome: WebhookOutcome = 'failed';
    try {
      outcome = await this.#once(event);
      return outcome;
    } finally {
      this.counter.count(event.type, outcome);
    }
  }

  #verified(rawBody: Buffer, signature: string): PaymentEvent {
    try {
      return this.gateway.verifyWebhook(rawBody, signature);
    } catch (error) {
      this.counter.count('unknown', 'refused');
      throw error;
    }
  }

  async #once(event: PaymentEvent): Promise<'handled' | 'repeated' | 'ignored'> {
    if (await this.records.receive(event, this.clock.now())) return 'repeated';
    const outcome = await this.#handle(event);
    await this.records.markHandled(event.id, this.clock.now());
    return outcome;
  }

  async #handle(event: PaymentEvent): Promise<'handled' | 'ignored'> {
    let handled = false;
    // One event may be about several things: a refund is a fact of its invoice, and moves our balance.
    for (const listener of this.listeners.all)
      if (listener.types.includes(event.type)) handled = (await listener.handle(event)) || handled;
    if (handled) return 'handled';
    // Whatever else happens in a creator's account is between them and the provider.
    if (event.accountId) return 'ignored';
    const cause = { actor: 'system:payments', causationId: event.id };
    if (PAID.has(event.type)) {
      const invoice = await this.gateway.readInvoice(event.objectId);
      if (!invoice) return 'ignored';
      const outcome = await this.commands.execute(new SettleInvoice(invoice, cause));
      return outcome === 'settled' ? 'handled' : 'ignored';
    }
    if (!STATUS_CHANGED.has(event.type) || !event.subscriptionId) return 'ignored';
    const subscription = await this.gateway.readSubscription(event.subscriptionId);
    const userId =
      subscription && (await this.records.payerOf(subscription.customerId, async () => subscription.userId));
    if (!userId) return 'ignored';
    const metadata = { ...cause, correlationId: `subscription-${event.subscriptionId}` };
    await this.commands.execute(new FollowSubscription(userId, event.subscriptionId, metadata));
    return 'handled';
  }
}
