import { Worker } from 'node:worker_threads';
import { Turns } from '../../../application/shared/lanes/turns.js';
import { type AnalysisResult, type OnProgress } from './analyse.js';
import type { AnalysisJob, WorkerMessage } from './worker.js';

interface Task {
  job: AnalysisJob;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
  /** Aborted when it waits no more. */
  begun: AbortController;
  resolve: (result: AnalysisResult) => void;
  reject: (error: Error) => void;
}

export interface PoolOptions {
  /** Worker module: compiled JavaScript, or an entry that can load the sources. */
  entry: URL;
  threads: number;
  /** The most files that wait, half of them of one owner; further files are refused. */
  waiting: number;
  /** For one file; then its worker is ended, whatever it is doing. */
  timeLimitMs: number;
  /** JavaScript heap of one worker. */
  memoryLimitMb: number;
}

/** The worker ran out of time or memory, or died; the next file gets a fresh one. */
export class WorkerLost extends Error {
  override name = 'WorkerLost';
}

/** Threads that start with the first work. Files beyond their number wait in a queue, owners in turn. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #turns: Turns<Task>;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#turns = new Turns({ work: 'audio', waiting: options.waiting });
  }

  /**
   * @param options.signal ends it, by its reason
   * @throws TooBusy
   */
  async run(
    job: AnalysisJob,
    options: { onProgress?: OnProgress; owner?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<AnalysisResult> {
    const { onProgress, owner, signal } = options;
    if (this.#isClosed) throw new Error('the audio workers are shut down');
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const begun = new AbortController();
      const giveUp = () => reject(signal?.reason as Error);
      this.#turns.add(owner, { job, onProgress, signal, begun, resolve, reject });
      // While it waits; its turn is left out.
      signal?.addEventListener('abort', giveUp, { signal: begun.signal });
      this.#dispatch();
    });
  }

  /** Ends all workers; what was waiting or running fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let task = this.#turns.next(); task; task = this.#turns.next())
      task.reject(new Error('the audio workers are shut down'));
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #dispatch(): void {
    while (!this.#turns.isEmpty) {
      const worker = this.#idle.pop() ?? (this.#all.size < this.#options.threads ? this.#start() : undefined);
      if (!worker) return;
      const task = this.#turns.next() as Task;
      if (!task.signal?.aborted) this.#assign(worker, task);
      else {
        worker.unref();
        this.#idle.push(worker);
      }
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#options.entry, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryLimitMb },
      // Decoding needs nothing of the application's environment or arguments.
      env: {},
      execArgv: [],
    });
    worker.on('exit', () => {
      this.#all.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      if (!this.#isClosed) this.#dispatch();
    });
    // A failing worker also exits; the listener keeps the error from ending the process.
    worker.on('error', () => undefined);
    this.#all.add(worker);
    return worker;
  }

  #assign(worker: Worker, task: Task): void {
    task.begun.abort();
    // An idle worker keeps no process alive.
    worker.ref();
    const settle = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      task.signal?.removeEventListener('abort', onAbort);
    };
    const onMessage = (message: WorkerMessage): void => {
      if (message.type === 'progress') return task.onProgress?.(message.phase, message.share);
      settle();
      worker.unref();
      this.#idle.push(worker);
      if (message.type === 'done') task.resolve(message.result);
      else task.reject(new Error(`audio analysis failed: ${message.message}`));
      this.#dispatch();
    };
    const onError = (error: Error): void => {
      settle();
      task.reject(new WorkerLost(error.message, { cause: error }));
    };
    const onExit = (): void => onError(new Error('the worker ended'));
    const end = (why: Error): void => {
      settle();
      // Not before: it may be writing.
      void worker.terminate().then(() => task.reject(why));
    };
    const onAbort = (): void => end(task.signal?.reason as Error);
    const timer = setTimeout(() => end(new WorkerLost('the file took too long')), this.#options.timeLimitMs);
    task.signal?.addEventListener('abort', onAbort);
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(task.job);
  }
}
