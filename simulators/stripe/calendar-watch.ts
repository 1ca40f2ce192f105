const HELD_MS = 25_000;
/** A watcher that does not return within this time is gone. */
const BACK_WITHIN_MS = 1_000;

/** Notifies other processes when the clock moves. Each sends the offset that it knows and waits for another one. */
export class CalendarWatch {
  private readonly waiting = new Set<() => void>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly offsetSeconds: () => number) {}

  /** Returns the offset: at once if it differs from `known`, otherwise when it changes or after a timeout. */
  async ask(known: number | undefined): Promise<number> {
    if (known !== this.offsetSeconds()) return this.offsetSeconds();
    await new Promise<void>((resolve) => {
      const answer = (): void => {
        clearTimeout(timer);
        this.waiting.delete(answer);
        resolve();
      };
      const timer = setTimeout(answer, HELD_MS);
      timer.unref();
      this.waiting.add(answer);
      for (const listener of this.listeners) listener();
    });
    return this.offsetSeconds();
  }

  /** Answers all waiting watchers. Resolves when they have asked again, which shows that they know the new offset. */
  async tell(): Promise<void> {
    const logSubscriptions = this.waiting.size;
    for (const answer of Array.from(this.waiting)) answer();
    if (logSubscriptions === 0) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.listeners.delete(check);
        resolve();
      };
      const check = (): void => {
        if (this.waiting.size >= logSubscriptions) finish();
      };
      const timer = setTimeout(finish, BACK_WITHIN_MS);
      this.listeners.add(check);
    });
  }
}
