import { isOutage } from '../database/lost-connection.js';

/** Minimum interval between steps. The next step handles all events that were appended in the meantime. */
const BETWEEN_STEPS_MS = 50;
const RETRY_MS = [200, 1_000, 5_000, 30_000];
/** Pause after an outage. The pause is short, because the service may be back at any moment. */
const OUTAGE_MS = 1_000;
/** Pause before the next attempt to get the lease, while another process runs the follower. */
const TAKEN_MS = 1_000;

export interface SubscriptionLog {
  warn(message: string): void;
  error(message: string): void;
}

export interface Step {
  reached: number;
  more: boolean;
}

export interface Follower {
  name: string;
  types: readonly string[];
  step(): Promise<Step | undefined>;
}

/**
 * Runs the steps of one follower, which is a projection or a reactor. A step begins after an append of its types, at
 * the earliest `BETWEEN_STEPS_MS` after the step before. A failed step is repeated after growing pauses.
 */
export class Subscription {
  readonly name: string;
  private readonly types: ReadonlySet<string>;
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

  /** Requests a step if events up to `position` were not read yet. Does not shorten the pause after a failure. */
  wake(position: number): void {
    this.wanted = Math.max(this.wanted, position);
    if (this.isIdle && this.wanted > this.reached) this.endRest();
  }

  /** Requests a step now, even during a pause after a failure, because its cause may be gone. */
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
