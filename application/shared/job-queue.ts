import type * as z from 'zod';

export interface JobKind<Data extends object> {
  readonly name: string;
  readonly shape: z.ZodType<Data>;
  /** Only one job per key waits or runs at a time. */
  readonly isKeyed: boolean;
  readonly atOnce: number;
  /** The number of retries. A job that fails its last retry waits for an administrator. */
  readonly repeats: number;
  /** The pause before the first retry. Each later pause is about twice as long, up to the longest. */
  readonly firstPauseSeconds: number;
  readonly longestPauseSeconds: number;
  readonly timeLimitSeconds: number;
}

export interface NewJob<Data extends object> {
  data: Data;
  id?: string;
  key?: string;
  /** Waiting jobs of a kind run by descending priority. The default is 0. */
  priority?: number;
}

/** The reason with which an attempt is aborted if its job was cancelled. The job is not retried. */
export class JobCancelled extends Error {
  constructor() {
    super('the job was cancelled');
    this.name = 'JobCancelled';
  }
}

export interface Attempt<Data extends object> {
  jobId: string;
  data: Data;
  number: number;
  isLast: boolean;
  /** Aborts if the job is cancelled (`JobCancelled`), at the time limit, or when the worker stops. */
  signal: AbortSignal;
}

/** Stores jobs until a worker has done them, even if processes die. Each job runs at least once. */
export abstract class JobQueue {
  abstract send<Data extends object>(kind: JobKind<Data>, jobs: readonly NewJob<Data>[]): Promise<void>;
  /** Cancels the waiting or running job with this key, if there is one. */
  abstract cancel(kind: { name: string }, key: string): Promise<void>;
}
