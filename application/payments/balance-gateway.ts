import type { RecordBalanceTransaction } from '../../domain/payments/balance-transaction.js';
import type { PaymentEvent } from './payment-gateway.js';

export type ProviderMovement = Omit<RecordBalanceTransaction, 'type'>;

/** Thrown if the provider refuses a report of the balance, or failed to make it. */
export class ReportNotMade extends Error {
  override name = 'ReportNotMade';
}

export abstract class BalanceGateway {
  /** Returns the ids of the movements behind an event. Returns none if the event did not move our balance. */
  abstract movementsBehind(event: PaymentEvent): Promise<string[]>;
  /** Lists the ids of all movements since a time, and before `until` if given, oldest first. */
  abstract listMovements(since: Date, until?: Date): Promise<string[]>;
  /** Returns the balance in each currency, such as `usd`, available and pending together, in the smallest unit. */
  abstract readBalances(): Promise<Record<string, number>>;
  /** Returns the time up to which reports of the balance can be requested. @throws ReportNotMade */
  abstract reportableUntil(): Promise<Date>;
  /**
   * Requests the itemised report of our balance for a span; `from` is inclusive, `to` is
   * exclusive. A repeated key requests no second report.
   * @returns the ids with which `readReport` reads the report
   * @throws ReportNotMade
   */
  abstract requestReport(span: { from: Date; to: Date }, key: string): Promise<string[]>;
  /** Returns a requested report as CSV, or undefined while the provider makes it. @throws ReportNotMade */
  abstract readReport(ids: readonly string[]): Promise<string | undefined>;
  abstract readMovement(transactionId: string): Promise<ProviderMovement | undefined>;
}
