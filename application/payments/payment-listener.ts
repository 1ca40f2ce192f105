import type { PaymentEvent } from './payment-gateway.js';

/** Handles events of the payment provider. They arrive in any order, and each is repeated until it was handled. */
export interface PaymentListener {
  readonly types: readonly string[];
  /** @returns whether the event concerned this listener */
  handle(event: PaymentEvent): Promise<boolean>;
}

export abstract class PaymentListeners {
  abstract readonly all: readonly PaymentListener[];
}
