import type { PaymentEvent } from './payment-gateway.js';

/** Handles events of the payment provider. They come in any order, and each until it was handled. */
export interface PaymentListener {
  /** The types of event that it follows. */
  readonly types: readonly string[];
  /** @returns whether the event concerned it */
  handle(event: PaymentEvent): Promise<boolean>;
}

/** Everybody who follows the provider's events. */
export abstract class PaymentListeners {
  abstract readonly all: readonly PaymentListener[];
}
