import { Command } from '@nestjs/cqrs';
import type { Outcome } from '../../domain/shared/decision.js';
import type { Cause } from '../shared/event-store.js';
import type { PaidInvoice } from './payment-gateway.js';

/** Grants the credits of a paid invoice, once per line, and records the next period of a subscription. */
export class SettleInvoice extends Command<Outcome<object, { code: 'PayerUnknown' }>> {
  constructor(
    readonly invoice: PaidInvoice,
    readonly cause: Required<Cause>,
  ) {
    super();
  }
}
