/** Runs work of the same name one after the other in this process, so that its writes to a stream do not conflict. */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(name) ?? Promise.resolve();
    const turn = before.then(work);
    const settled = turn.catch(() => {});
    this.last.set(name, settled);
    try {
      return await turn;
    } finally {
      if (this.last.get(name) === settled) this.last.delete(name);
    }
  }
}
