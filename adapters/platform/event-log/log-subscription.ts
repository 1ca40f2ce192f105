import { isOutage } from '../database/lost-connection.js';

/** Steps begin at least so far apart: what is appended meanwhile is taken together. */
const BETWEEN_STEPS_MS = 50;
const RETRY_MS = [200, 1_000, 5_000, 30_000];
/** A part that does not answer is asked again this soon: it may be back at any moment. */
const OUTAGE_MS = 1_000;
/** Whoever finds another process at it looks again after this time. */
const TAKEN_MS = 1_000;

/** What people who run the product are told. */
export interface SubscriptionLog {
  warn(message: string): void;
  error(message: string): void;
}

/** How far a step has looked, and whether more waits. */
export interface Step {
  reached: number;
  more: boolean;
}

/** Follows the log: a projection or a reactor. */
export interface Follower {
  name: string;
  types: readonly string[];
  /** Handles the next events. @returns undefined while another process does */
  step(): Promise<Step | undefined>;
}

/**
 * Lets one follower take its steps: at once when something of its types was appended, or a moment after the step
 * before; again with growing pauses when it fails.
 */
export class Subscription {
  readonly name: string;
  private readonly types: ReadonlySet<string>;
  /** The position up to which it should look. */
  private wanted = 0;
  private reached = 0;
  private failures = 0;
  private isIdle = false;
  private endRest: () => void = () => {};

  constructor(
    private readonly follower: Follower,
    private readonly log: SubscriptionLog,
    private readonly stopping: AbortSignal,
  ) {
    this.name = follower.name;
    this.types = new Set(follower.types);
    stopping.addEventListener('abort', () => this.endRest());
  }

  follows(types: readonly string[]): boolean {
    return types.some((type) => this.types.has(type));
  }

  /** Has it look up to that position. What it has seen already, and a failure's pause, it leaves as they are. */
  wake(position: number): void {
    this.wanted = Math.max(this.wanted, position);
    if (this.isIdle && this.wanted > this.reached) this.endRest();
  }

  /** Has it look again now, also during a pause: what it waits for may be back. */
  hurry(): void {
    this.wanted = Number.POSITIVE_INFINITY;
    this.endRest();
  }

  async run(): Promise<void> {
    while (!this.stopping.aborted) {
      const startedAt = performance.now();
      const pauseMs = await this.steps();
      if (pauseMs > 0) {
        await this.rest(pauseMs);
        continue;
      }
      this.isIdle = true;
      if (this.wanted <= this.reached) await this.rest();
      this.isIdle = false;
      const early = startedAt + BETWEEN_STEPS_MS - performance.now();
      if (early > 0) await this.rest(early);
    }
  }

  /** Steps until nothing waits. @returns how long it has to pause; 0 when it may wait for the next event */
  private async steps(): Promise<number> {
    try {
      for (let more = true; more && !this.stopping.aborted;) {
        this.wanted = 0;
        const step = await this.follower.step();
        this.failures = 0;
        if (!step) return TAKEN_MS;
        ({ reached: this.reached, more } = step);
      }
      return 0;
    } catch (error) {
      const pauseMs = isOutage(error)
        ? OUTAGE_MS
        : (RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)] as number);
      this.failures += 1;
      if (!this.stopping.aborted)
        this.log.warn(
          `${this.name} failed ${this.failures}×, again in ${pauseMs} ms: ${(error as Error).message}`,
        );
      return pauseMs;
    }
  }

  private rest(ms?: number): Promise<void> {
    if (this.stopping.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
