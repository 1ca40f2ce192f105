import type { RecordBalanceTransaction } from '../../domain/payments/balance-transaction.js';
import type { PaymentEvent } from './payment-gateway.js';

export type ProviderMovement = Omit<RecordBalanceTransaction, 'type'>;

export abstract class BalanceGateway {
  /** Returns the ids of the movements behind an event. Returns none if the event did not move our balance. */
  abstract movementsBehind(event: PaymentEvent): Promise<string[]>;
  /** Lists the ids of all movements since a time, and before `until` if given, oldest first. */
  abstract listMovements(since: Date, until?: Date): Promise<string[]>;
  /** Returns the balance in each currency, such as `usd`, available and pending together, in the smallest unit. */
  abstract readBalances(): Promise<Record<string, number>>;
  abstract readMovement(transactionId: string): Promise<ProviderMovement | undefined>;
}
