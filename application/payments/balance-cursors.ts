/** Up to where a backfill that was interrupted had come. */
export abstract class BackfillCursors {
  abstract find(name: string): Promise<Date | undefined>;
  abstract remember(name: string, until: Date): Promise<void>;
  abstract forget(name: string): Promise<void>;
}

/** The position up to which the provider's balance is in the log. */
export abstract class RecordedMovements {
  /** Those of the given transactions that the log has. */
  abstract among(transactionIds: readonly string[]): Promise<Set<string>>;
  /** Everything up to here was recorded, by the provider's clock; undefined before the first time. */
  abstract completeUntil(): Promise<Date | undefined>;
  abstract rememberComplete(until: Date): Promise<void>;
  /** Movements that no fact of ours explains although it should have come by now, oldest first. */
  abstract withoutFact(now: Date): Promise<string[]>;
  /** Movements held in suspense whose fact came after all. */
  abstract heldWithFact(): Promise<string[]>;
  /** Movements that belong into the opening balance and are not there, or the reverse; none that an entry cleared. */
  abstract misplaced(): Promise<string[]>;
  /** The provider's own balances by currency, at a time when the log had all that moved them, up to a position. */
  abstract rememberBalances(balances: {
    micro: Record<string, number>;
    position: number;
    at: Date;
  }): Promise<void>;
}
