export type JobDecision = 'retry' | 'discard' | 'cancel';

/** Lets staff decide on jobs that failed for good, wait or run. */
export abstract class DecidedJobs {
  /** @returns the number of jobs to retry; skips a job while another with the same key waits or runs */
  abstract retry(chosen: { id: string }): Promise<number>;
  /** @returns the number of discarded jobs */
  abstract discard(chosen: { id: string }): Promise<number>;
  /** Workers learn of it within a second or two. @returns the number of running jobs that end; they are not retried */
  abstract cancel(chosen: { id: string }): Promise<number>;
}
