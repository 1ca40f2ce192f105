/** How far the provider's balance is in the log. */
export abstract class RecordedMovements {
  /** Those of the given transactions that the log has. */
  abstract among(transactionIds: readonly string[]): Promise<Set<string>>;
  /** Everything up to here was recorded, by the provider's clock; undefined before the first time. */
  abstract completeUntil(): Promise<Date | undefined>;
  abstract rememberComplete(until: Date): Promise<void>;
}
