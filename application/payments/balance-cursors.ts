export abstract class BackfillCursors {
  abstract find(name: string): Promise<Date | undefined>;
  abstract remember(name: string, until: Date): Promise<void>;
  abstract forget(name: string): Promise<void>;
}

export abstract class RecordedMovements {
  abstract among(transactionIds: readonly string[]): Promise<Set<string>>;
  /** Returns the time up to which every movement was recorded; undefined before the first sweep. */
  abstract completeUntil(): Promise<Date | undefined>;
  abstract rememberComplete(until: Date): Promise<void>;
  /** Lists movements that should have a fact by now and have none, oldest first. */
  abstract withoutFact(now: Date): Promise<string[]>;
  abstract heldWithFact(): Promise<string[]>;
  /** Lists movements missing in the opening balance, or wrongly there. Skips those that an entry cleared. */
  abstract misplaced(): Promise<string[]>;
  /** Stores the provider's balances by currency, at a time when the log had every movement up to `position`. */
  abstract rememberBalances(balances: {
    micro: Record<string, number>;
    position: number;
    at: Date;
  }): Promise<void>;
}
