import type { RecordBalanceTransaction } from '../../domain/payments/balance-transaction.js';
import type { PaymentEvent } from './payment-gateway.js';

/** A movement of our balance, as the provider has it now. */
export type ProviderMovement = Omit<RecordBalanceTransaction, 'type'>;

/** Our balance at the payment provider, movement by movement. */
export abstract class BalanceGateway {
  /** The ids of the movements behind an event; none if it moved nothing of ours. */
  abstract movementsBehind(event: PaymentEvent): Promise<string[]>;
  /** The ids of all movements since, or until a moment, oldest first. */
  abstract listMovements(since: Date, until?: Date): Promise<string[]>;
  /** The balance in each currency, such as `usd`, available or pending, in the smallest unit. */
  abstract readBalances(): Promise<Record<string, number>>;
  /** Undefined if there is none. */
  abstract readMovement(transactionId: string): Promise<ProviderMovement | undefined>;
}
