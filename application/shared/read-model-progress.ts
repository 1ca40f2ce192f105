/** The log position that the public read models have reached. */
export abstract class ReadModelProgress {
  /** Waits for every async read model, or each named one. Returns false if the timeout passed first. */
  abstract caughtUp(position: number, timeoutMs: number, names?: readonly string[]): Promise<boolean>;
}
