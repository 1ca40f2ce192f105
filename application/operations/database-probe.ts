export abstract class DatabaseProbe {
  /** Resolves when the database answers a query. */
  abstract ping(): Promise<void>;
  /** The same of the replica that visitors' pages are read from; undefined where there is none. */
  abstract pingReplica(): Promise<void> | undefined;
}
