export abstract class DatabaseProbe {
  /** Resolves when the database answers a query. */
  abstract ping(): Promise<void>;
  /** The same for the replica that serves visitors' pages; undefined if there is none. */
  abstract pingReplica(): Promise<void> | undefined;
}
