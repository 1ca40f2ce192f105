import { Command } from '@nestjs/cqrs';
import type { JobDecision } from './decided-jobs.js';

/** Has a job that failed for good done again or not any more, or one that runs end; false: there is no such job. */
export class DecideOnJob extends Command<boolean> {
  constructor(
    readonly jobId: string,
    readonly decision: JobDecision,
    readonly by: string,
  ) {
    super();
  }
}

/** Notes that a subscription of the log goes on without an event that it cannot handle. */
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
