import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/clock.js';
import { CREATOR_EVENTS } from './event-types.js';
import { PaymentGateway, type PaymentEvent } from './payment-gateway.js';
import { PaymentRecords } from './payment-records.js';

const CREATOR_EVENT_TYPES: ReadonlySet<string> = new Set(CREATOR_EVENTS);

/** Handles events of the payment provider. Events come in any order, and are repeated until they were handled. */
export interface PaymentListener {
  readonly types: readonly string[];
  /** @returns whether the event was about something that this listener records */
  handle(event: PaymentEvent): Promise<boolean>;
}

export abstract class PaymentListeners {
  abstract readonly all: readonly PaymentListener[];
}

export type WebhookOutcome = 'handled' | 'repeated' | 'ignored' | 'failed' | 'refused';

export abstract class WebhookCounter {
  /** @param type the provider's type; `unknown` if the webhook is not from the provider */
  abstract count(type: string, outcome: WebhookOutcome): void;
}

/** Handles each event id once. Listeners do not trust the content: they read the object again from the provider. */
@Injectable()
export class PaymentEvents {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly clock: Clock,
    private readonly listeners: PaymentListeners,
    private readonly counter: WebhookCounter,
  ) {}

  /** @throws WebhookRefused if the webhook is not from the provider. Then nothing is stored */
  async receive(rawBody: Buffer, signature: string): Promise<'handled' | 'repeated' | 'ignored'> {
    const event = this.verified(rawBody, signature);
    let outcome: WebhookOutcome = 'failed';
    try {
      outcome = await this.once(event);
      return outcome;
    } finally {
      this.counter.count(event.type, outcome);
    }
  }

  private verified(rawBody: Buffer, signature: string): PaymentEvent {
    try {
      return this.gateway.verifyWebhook(rawBody, signature);
    } catch (error) {
      this.counter.count('unknown', 'refused');
      throw error;
    }
  }

  private async once(event: PaymentEvent): Promise<'handled' | 'repeated' | 'ignored'> {
    if (await this.records.receive(event, this.clock.now())) return 'repeated';
    const outcome = await this.handle(event);
    await this.records.markHandled(event.id, this.clock.now());
    return outcome;
  }

  private async handle(event: PaymentEvent): Promise<'handled' | 'ignored'> {
    // Other events of a creator's account concern only the creator and the provider.
    if (event.accountId && !CREATOR_EVENT_TYPES.has(event.type)) return 'ignored';
    let handled = false;
    // One event may concern several listeners: a refund corrects its invoice and also moves our balance.
    for (const listener of this.listeners.all)
      if (listener.types.includes(event.type)) handled = (await listener.handle(event)) || handled;
    return handled ? 'handled' : 'ignored';
  }
}
