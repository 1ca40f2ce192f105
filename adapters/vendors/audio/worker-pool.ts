import { Worker } from 'node:worker_threads';
import { Turns } from '../../../application/shared/lanes.js';
import type { OnProgress } from './analyse.js';
import type { AudioJob, ResultOf, WorkerMessage } from './worker.js';

interface Task {
  job: AudioJob;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
  begun: AbortController;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

export interface PoolOptions {
  entry: URL;
  threads: number;
  /** The maximum number of waiting files. One owner may fill half of it; further files are refused. */
  waiting: number;
  /** The time limit for one file. After it, the pool terminates the worker. */
  timeLimitMs: number;
  /** JavaScript heap of one worker. */
  memoryLimitMb: number;
}

/** Thrown if a worker ran out of time or memory, or died. The pool starts a new worker for the next file. */
export class WorkerLost extends Error {
  override name = 'WorkerLost';
}

/** Worker threads, started on demand. Further files wait in a queue, in which owners take turns. */
export class WorkerPool {
  private readonly turns: Turns<Task>;
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {
    this.turns = new Turns({ work: 'audio', waiting: options.waiting });
  }

  /** @throws TooBusy, or the signal's reason */
  async run<Job extends AudioJob>(
    job: Job,
    options: { onProgress?: OnProgress; owner?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<ResultOf<Job>> {
    const { onProgress, owner, signal } = options;
    if (this.isClosed) throw new Error('the audio workers are shut down');
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const begun = new AbortController();
      const giveUp = () => reject(signal?.reason as Error);
      this.turns.add(owner, { job, onProgress, signal, begun, resolve, reject });
      // An abort rejects a task that is still waiting, and the queue skips it.
      signal?.addEventListener('abort', giveUp, { signal: begun.signal });
      this.dispatch();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (let task = this.turns.next(); task; task = this.turns.next())
      task.reject(new Error('the audio workers are shut down'));
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private dispatch(): void {
    while (!this.turns.isEmpty) {
      const worker = this.idle.pop() ?? (this.all.size < this.options.threads ? this.start() : undefined);
      if (!worker) return;
      const task = this.turns.next() as Task;
      if (!task.signal?.aborted) this.assign(worker, task);
      else {
        worker.unref();
        this.idle.push(worker);
      }
    }
  }

  private start(): Worker {
    const worker = new Worker(this.options.entry, {
      resourceLimits: { maxOldGenerationSizeMb: this.options.memoryLimitMb },
      // Decoding needs neither the environment nor the arguments of the application.
      env: {},
      execArgv: [],
    });
    worker.on('exit', () => {
      this.all.delete(worker);
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
      if (!this.isClosed) this.dispatch();
    });
    // A failing worker also exits. Without this listener, its error would end the process.
    worker.on('error', () => undefined);
    this.all.add(worker);
    return worker;
  }

  private assign(worker: Worker, task: Task): void {
    task.begun.abort();
    // Only a busy worker keeps the process alive.
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
      this.idle.push(worker);
      if (message.type === 'done') task.resolve(message.result as never);
      else task.reject(new Error(`audio analysis failed: ${message.message}`));
      this.dispatch();
    };
    const onError = (error: Error): void => {
      settle();
      task.reject(new WorkerLost(error.message, { cause: error }));
    };
    const onExit = (): void => onError(new Error('the worker ended'));
    const end = (why: Error): void => {
      settle();
      // Rejects only after the worker has ended, because the worker may still be writing.
      void worker.terminate().then(() => task.reject(why));
    };
    const onAbort = (): void => end(task.signal?.reason as Error);
    const timer = setTimeout(
      () => end(new WorkerLost('the analysis of the file timed out')),
      this.options.timeLimitMs,
    );
    task.signal?.addEventListener('abort', onAbort);
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(task.job);
  }
}
