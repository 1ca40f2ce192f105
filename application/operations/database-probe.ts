export abstract class DatabaseProbe {
  /** Resolves when the database answers: whether nodes of a newer version have taken over the writing. */
  abstract isOutdated(): Promise<boolean>;
  /** Resolves when the replica that serves visitors' pages answers; undefined if there is none. */
  abstract pingReplica(): Promise<void> | undefined;
}
