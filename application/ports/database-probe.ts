export abstract class DatabaseProbe {
  /** Resolves when the database answers a query. */
  abstract ping(): Promise<void>;
}
