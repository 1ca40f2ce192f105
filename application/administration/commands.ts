import { Command } from '@nestjs/cqrs';
import type { JobDecision } from './decided-jobs.js';

/** Retries or discards a job that failed for good, or cancels a running one. Returns false if the job is unknown. */
export class DecideOnJob extends Command<boolean> {
  constructor(
    readonly jobId: string,
    readonly decision: JobDecision,
    readonly by: string,
  ) {
    super();
  }
}

/** Records that a subscription of the log skips an event that it cannot handle. */
export class SkipParkedEvent extends Command<void> {
  constructor(
    readonly subscription: string,
    readonly position: number,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}
