/** Lets callers wait until async read models have processed the log up to a position. */
export abstract class ReadModelProgress {
  /** Waits for all async read models, or only for the named ones. Returns false after the timeout. */
  abstract caughtUp(position: number, timeoutMs: number, names?: readonly string[]): Promise<boolean>;
}
