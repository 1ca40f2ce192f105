/** What somebody may decide on a job. */
export type JobDecision = 'retry' | 'discard' | 'cancel';

/** Jobs that somebody decides on: those that failed for good, wait or run. */
export abstract class DecidedJobs {
  /** @returns how many are done again; one is not while another of the same key waits or runs */
  abstract retry(chosen: { id: string }): Promise<number>;
  /** @returns how many are not done any more */
  abstract discard(chosen: { id: string }): Promise<number>;
  /** Their workers are told within a second or two. @returns how many that run are to end, and are not done again */
  abstract cancel(chosen: { id: string }): Promise<number>;
}
