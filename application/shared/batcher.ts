import { Unavailable } from './unavailable.js';

export interface BatcherOptions<Command, Answer> {
  /** Returns the answers in the order of the commands. */
  run(commands: readonly Command[]): Promise<Answer[]>;
  /** Commands with the same key keep their order and never run in two batches at once. Default: no shared keys. */
  keyOf?(command: Command): string;
  maxCommands?: number;
  maxBatches?: number;
  /** Returns whether an error is an outage, after which a batch is not run again. Default: `Unavailable`. */
  isOutage?(error: unknown): boolean;
  onBatch?: ((batch: BegunBatch) => void) | undefined;
}

export interface BegunBatch {
  commands: number;
  waitedMs: number;
}

interface Waiting<Command, Answer> {
  command: Command;
  key: string | undefined;
  since: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The fewest commands per batch if a queue is divided: smaller batches are not worth their cost. */
const SHARED_FROM = 32;

/**
 * Runs commands that arrive together as one batch. There is no timer: a batch starts at the end of the event loop turn
 * in which its first command arrived. Commands that arrive while `maxBatches` run wait for one of them to end.
 *
 * If a batch fails, its commands run one by one, so that one bad command does not fail its neighbours. After an outage
 * nothing runs again: the batch may have been written, and each attempt would wait for the whole time limit. All
 * waiting commands then fail at once.
 */
export class Batcher<Command, Answer> {
  private queue: Waiting<Command, Answer>[] = [];
  private readonly busyKeys = new Set<string | undefined>();
  private running = 0;
  private scheduled = false;
  private readonly maxCommands: number;
  private readonly maxBatches: number;
  private readonly isOutage: (error: unknown) => boolean;

  constructor(private readonly options: BatcherOptions<Command, Answer>) {
    this.maxCommands = options.maxCommands ?? 256;
    this.maxBatches = options.maxBatches ?? 2;
    this.isOutage = options.isOutage ?? ((error) => error instanceof Unavailable);
  }

  /** @param signal aborts when the sender stops waiting; a command that already runs continues */
  submit(command: Command, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const key = this.options.keyOf?.(command);
      const waiting = { command, key, since: performance.now(), resolve, reject };
      this.queue.push(waiting);
      signal?.addEventListener('abort', () => {
        this.queue = this.queue.filter((each) => each !== waiting);
        reject(signal.reason);
      });
      this.scheduleBatches();
    });
  }

  /** Starts batches after this turn of the event loop, so that all its commands are decided together. */
  private scheduleBatches(): void {
    if (this.scheduled || this.running === this.maxBatches) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.startBatches();
    });
  }

  private startBatches(): void {
    while (this.running < this.maxBatches && this.queue.length > 0) {
      // Divides many commands evenly, so that one batch is decided here while the database writes another.
      const share = Math.ceil(this.queue.length / (this.maxBatches - this.running));
      const batch = this.takeBatch(Math.min(Math.max(share, SHARED_FROM), this.maxCommands));
      const [first] = batch;
      if (!first) return;
      this.options.onBatch?.({ commands: batch.length, waitedMs: performance.now() - first.since });
      void this.runBatch(batch);
    }
  }

  private takeBatch(maxCommands: number): Waiting<Command, Answer>[] {
    const batch: Waiting<Command, Answer>[] = [];
    const left: Waiting<Command, Answer>[] = [];
    for (const waiting of this.queue) {
      if (batch.length < maxCommands && !this.busyKeys.has(waiting.key)) batch.push(waiting);
      else left.push(waiting);
    }
    this.queue = left;
    if (this.options.keyOf) for (const { key } of batch) this.busyKeys.add(key);
    return batch;
  }

  private async runBatch(batch: Waiting<Command, Answer>[]): Promise<void> {
    this.running += 1;
    try {
      await this.answer(batch);
    } catch (error) {
      if (batch.length === 1 || this.isOutage(error)) this.reject(batch, error);
      else await this.answerOneByOne(batch);
    } finally {
      this.running -= 1;
      for (const { key } of batch) this.busyKeys.delete(key);
      if (this.queue.length > 0) this.scheduleBatches();
    }
  }

  private async answerOneByOne(batch: readonly Waiting<Command, Answer>[]): Promise<void> {
    for (const [index, waiting] of batch.entries()) {
      try {
        await this.answer([waiting]);
      } catch (error) {
        if (this.isOutage(error)) return this.reject(batch.slice(index), error);
        waiting.reject(error);
      }
    }
  }

  private reject(batch: readonly Waiting<Command, Answer>[], error: unknown): void {
    const waiting = this.isOutage(error) ? this.queue.splice(0) : [];
    for (const { reject } of [...batch, ...waiting]) reject(error);
  }

  private async answer(batch: Waiting<Command, Answer>[]): Promise<void> {
    const answers = await this.options.run(batch.map((waiting) => waiting.command));
    batch.forEach((waiting, index) => waiting.resolve(answers[index] as Answer));
  }
}
