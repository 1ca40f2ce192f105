const HELD_MS = 25_000;
/** A watcher that does not come back within this is gone. */
const BACK_WITHIN_MS = 1_000;

/** Tells other processes how far the clock was moved: each asks with what it knows, and is answered when that is old. */
export class CalendarWatch {
  readonly #waiting = new Set<() => void>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly offsetSeconds: () => number) {}

  /** The offset, at once where the asker knows another one, else when it changes or after a while. */
  async ask(known: number | undefined): Promise<number> {
    if (known !== this.offsetSeconds()) return this.offsetSeconds();
    await new Promise<void>((resolve) => {
      const answer = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(answer);
        resolve();
      };
      const timer = setTimeout(answer, HELD_MS);
      timer.unref();
      this.#waiting.add(answer);
      for (const listener of this.#listeners) listener();
    });
    return this.offsetSeconds();
  }

  /** Answers everybody who waits. Resolves when they have come back, and so know. */
  async tell(): Promise<void> {
    const logSubscriptions = this.#waiting.size;
    for (const answer of Array.from(this.#waiting)) answer();
    if (logSubscriptions === 0) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(check);
        resolve();
      };
      const check = (): void => {
        if (this.#waiting.size >= logSubscriptions) finish();
      };
      const timer = setTimeout(finish, BACK_WITHIN_MS);
      this.#listeners.add(check);
    });
  }
}
