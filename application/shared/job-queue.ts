import type * as z from 'zod';

/** Work that is not a request, declared once: what a job of this kind carries, and how it is done. */
export interface JobKind<Data extends object> {
  readonly name: string;
  readonly shape: z.ZodType<Data>;
  /** Of jobs with the same key only one waits or runs. */
  readonly isKeyed: boolean;
  /** How many of them a worker does at the same time. */
  readonly atOnce: number;
  /** A job that failed once more often than this is set aside until somebody looks at it. */
  readonly repeats: number;
  /** The pause before the first repeat; each further one is about twice as long, up to the longest. */
  readonly firstPauseSeconds: number;
  readonly longestPauseSeconds: number;
  readonly timeLimitSeconds: number;
}

export interface NewJob<Data extends object> {
  data: Data;
  id?: string;
  key?: string;
  /** Of jobs of a kind that wait, those with the highest are done first; 0 where it is not said. */
  priority?: number;
}

/** Why an attempt is aborted whose job somebody cancelled: nobody does it again. */
export class JobCancelled extends Error {
  constructor() {
    super('the job was cancelled');
    this.name = 'JobCancelled';
  }
}

/** One attempt at a job. */
export interface Attempt<Data extends object> {
  jobId: string;
  data: Data;
  /** Which attempt it is, from 1. */
  number: number;
  isLast: boolean;
  /**
   * Aborted when somebody cancelled the job (`JobCancelled`), it took longer than its kind may, or the worker stops: what works on it
   * should end soon, by an error.
   */
  signal: AbortSignal;
}

/** Keeps jobs until a worker has done them, whichever process dies meanwhile: each is done at least once. */
export abstract class JobQueue {
  abstract send<Data extends object>(kind: JobKind<Data>, jobs: readonly NewJob<Data>[]): Promise<void>;
  /** Has a job of a keyed kind not done, or end; nothing if there is none. */
  abstract cancel(kind: { name: string }, key: string): Promise<void>;
}
