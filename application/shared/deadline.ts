/** Somebody waited as long as anybody waits. What was begun for them may still be done. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
}

/** How long somebody waits for an answer, whatever hangs on the way to it. */
export class Deadline {
  constructor(private readonly ms: number) {}

  /**
   * @param work asks the signal before it begins what cannot be undone; what it has begun goes on without anybody
   * @throws DeadlinePassed
   */
  async within<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const passed = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as DeadlinePassed), { once: true }),
    );
    const timer = setTimeout(() => waiting.abort(new DeadlinePassed('no answer in time')), this.ms);
    try {
      return await Promise.race([work(signal), passed]);
    } finally {
      clearTimeout(timer);
    }
  }
}
