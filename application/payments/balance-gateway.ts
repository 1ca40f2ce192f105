import type { RecordBalanceTransaction } from '../../domain/payments/balance-transaction.js';
import type { PaymentEvent } from './payment-gateway.js';

/** A movement of our balance, as the provider has it now. */
export type ProviderMovement = Omit<RecordBalanceTransaction, 'type'>;

/** Our balance at the payment provider, movement by movement. */
export abstract class BalanceGateway {
  /** The ids of movements behind what an event tells of; none where it moved nothing of ours. */
  abstract movementsBehind(event: PaymentEvent): Promise<string[]>;
  /** The ids of all movements since, oldest first. */
  abstract listMovements(since: Date): Promise<string[]>;
  /** What stands there in US dollars, available or on its way. */
  abstract readBalanceUsdCents(): Promise<number>;
  /** Undefined where there is none. */
  abstract readMovement(transactionId: string): Promise<ProviderMovement | undefined>;
}
