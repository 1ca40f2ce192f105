/** Jobs that failed for good and wait for somebody's decision. */
export abstract class FailedJobs {
  /** @returns how many are done again; one is not while another of the same key waits or runs */
  abstract retry(chosen: { id: string }): Promise<number>;
  /** @returns how many are not done any more */
  abstract discard(chosen: { id: string }): Promise<number>;
}
