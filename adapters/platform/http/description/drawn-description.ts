import { Worker } from 'node:worker_threads';
import type { Drawing } from './draw-thread.js';

const TIME_LIMIT_MS = 30_000;
const MEMORY_LIMIT_MB = 256;

/** The description of the API. The first request creates it in a separate thread, because it takes a second. */
export class DrawnDescription {
  private drawing: Promise<Drawing> | undefined;

  /** Returns the cached description. After a failure the next call tries again. */
  get(): Promise<Drawing> {
    this.drawing ??= draw().catch((error: unknown) => {
      this.drawing = undefined;
      throw error;
    });
    return this.drawing;
  }
}

async function draw(): Promise<Drawing> {
  const isCompiled = import.meta.url.endsWith('.js');
  const entry = isCompiled ? './draw-thread.js' : '../../../vendors/audio/worker-from-source.mjs';
  const thread = new Worker(new URL(entry, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    // Contracts need neither the environment nor the arguments of the application.
    env: {},
    execArgv: [],
    workerData: isCompiled ? undefined : { source: new URL('./draw-thread.ts', import.meta.url).href },
  });
  // A process that stops does not wait for the thread.
  thread.unref();
  const timer = setTimeout(() => void thread.terminate(), TIME_LIMIT_MS).unref();
  try {
    return await new Promise<Drawing>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('the thread that creates the API description ended')));
    });
  } finally {
    clearTimeout(timer);
  }
}
