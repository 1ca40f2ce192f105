/** The position up to which the public read models have followed the log. */
export abstract class ReadModelProgress {
  /**
   * Waits until every async read model, or each of those named, has passed `position`.
   * @returns false when time ran out first
   */
  abstract caughtUp(position: number, timeoutMs: number, names?: readonly string[]): Promise<boolean>;
}
