/** More of one kind of work waits than will be done soon. */
export class TooBusy extends Error {
  constructor(readonly work: string) {
    super(`too much waits for ${work}`);
    this.name = 'TooBusy';
  }
}

/** Does so much of one kind of work at once, lets so much more wait in its order, and refuses the rest at once. */
export class Lane {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly options: { work: string; atOnce: number; waiting: number }) {}

  /** @throws TooBusy */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const { work, atOnce, waiting } = this.options;
    if (this.running < atOnce) this.running += 1;
    else if (this.queue.length >= waiting) throw new TooBusy(work);
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await task();
    } finally {
      // The caller that has waited longest gets the free place.
      const next = this.queue.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
