import type * as z from 'zod';

/** A kind of background work, declared once: the data of its jobs and how they run. */
export interface JobKind<Data extends object> {
  readonly name: string;
  readonly shape: z.ZodType<Data>;
  /** Only one job per key waits or runs. */
  readonly isKeyed: boolean;
  /** The number of concurrent jobs per worker. */
  readonly atOnce: number;
  /** A job that fails once more than this is set aside for a person. */
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

/** Aborts an attempt whose job was cancelled. The job is not retried. */
export class JobCancelled extends Error {
  constructor() {
    super('the job was cancelled');
    this.name = 'JobCancelled';
  }
}

export interface Attempt<Data extends object> {
  jobId: string;
  data: Data;
  /** The number of the attempt, from 1. */
  number: number;
  isLast: boolean;
  /**
   * Aborts if the job was cancelled (`JobCancelled`), the time limit passed, or the worker stops. The attempt should
   * then end soon, with an error.
   */
  signal: AbortSignal;
}

/** Stores jobs until a worker has done them, even if processes die. Each job runs at least once. */
export abstract class JobQueue {
  abstract send<Data extends object>(kind: JobKind<Data>, jobs: readonly NewJob<Data>[]): Promise<void>;
  /** Cancels the waiting or running job of a keyed kind, if there is one. */
  abstract cancel(kind: { name: string }, key: string): Promise<void>;
}
