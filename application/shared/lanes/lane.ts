import { Turns } from './turns.js';
import { workOwner } from './work-owner.js';

/** Limits how many tasks of one kind run at once. Others wait, and owners take turns. A full queue refuses more. */
export class Lane {
  private running = 0;
  private readonly turns: Turns<() => void>;

  constructor(private readonly options: { work: string; atOnce: number; waiting: number }) {
    this.turns = new Turns(options);
  }

  /** @throws TooBusy */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((resolve) => {
      this.turns.add(workOwner(), resolve);
      this.begin();
    });
    try {
      return await task();
    } finally {
      this.running -= 1;
      this.begin();
    }
  }

  private begin(): void {
    if (this.running >= this.options.atOnce) return;
    const next = this.turns.next();
    if (!next) return;
    this.running += 1;
    next();
  }
}
