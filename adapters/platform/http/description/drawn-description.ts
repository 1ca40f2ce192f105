import { Worker } from 'node:worker_threads';
import type { Drawing } from './draw-thread.js';

const TIME_LIMIT_MS = 30_000;
const MEMORY_LIMIT_MB = 256;

/** The description of the API, drawn when somebody first asks, by a thread that ends with it: drawing takes a second. */
export class DrawnDescription {
  private drawing: Promise<Drawing> | undefined;

  /** What is drawn is kept, what failed is tried again by the next one who asks. */
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
    // Contracts need nothing of the application's environment or arguments.
    env: {},
    execArgv: [],
    workerData: isCompiled ? undefined : { source: new URL('./draw-thread.ts', import.meta.url).href },
  });
  // A product that stops does not wait for it.
  thread.unref();
  const timer = setTimeout(() => void thread.terminate(), TIME_LIMIT_MS).unref();
  try {
    return await new Promise<Drawing>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('the thread that draws the description ended')));
    });
  } finally {
    clearTimeout(timer);
  }
}
