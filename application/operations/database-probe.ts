export abstract class DatabaseProbe {
  /** Resolves when the database answers. Returns true if nodes of a newer version have taken over the writing. */
  abstract isOutdated(): Promise<boolean>;
  /** Resolves when the replica that serves visitors' pages answers. Returns undefined if there is no replica. */
  abstract pingReplica(): Promise<void> | undefined;
}
