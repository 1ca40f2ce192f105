import { Worker } from 'node:worker_threads';
import type { LearntSound } from '../../../../application/publishing/sounds/known-sounds.js';
import {
  SoundStudio,
  type Alignment,
  type SecondLook,
} from '../../../../application/publishing/sounds/sound-studio.js';
import type { SoundAnswer, SoundMessage, SoundRequest } from './fingerprint-worker.js';

const TIME_LIMIT_MS = 120_000;
const MEMORY_LIMIT_MB = 512;
/** How many of the newest ids are remembered: a fingerprint may be committed just after one with a higher id. */
const RECENT = 500;

interface Thread {
  worker: Worker;
  last: number;
  recent: number[];
}

/** Compares sounds in a worker thread. Its memory limit does not count the fingerprints, which are outside the heap. */
export class WorkerSoundStudio implements SoundStudio {
  private thread: Thread | undefined;
  private readonly asked = new Map<
    number,
    { resolve: (answer: never) => void; reject: (error: Error) => void }
  >();
  private nextId = 1;

  constructor(private readonly timeLimitMs = TIME_LIMIT_MS) {}

  fingerprint(path: string): Promise<Uint8Array | null> {
    return this.ask({ type: 'fingerprint', path });
  }

  describe(path: string): Promise<Float32Array | null> {
    return this.ask({ type: 'describe', path });
  }

  known(): { last: number; recent: readonly number[] } {
    return { last: this.thread?.last ?? 0, recent: this.thread?.recent ?? [] };
  }

  learn(sounds: readonly LearntSound[]): void {
    if (sounds.length === 0) return;
    this.thread ??= this.start();
    const ids = [...this.thread.recent, ...sounds.map(({ soundId }) => soundId)];
    this.thread.recent = ids.sort((a, b) => a - b).slice(-RECENT);
    this.thread.last = this.thread.recent.at(-1) as number;
    this.tell({ type: 'learn', sounds });
  }

  alike(path: string, creatorId: string): Promise<Alignment[]> {
    return this.ask({ type: 'alike', path, creatorId });
  }

  compare(path: string, likePath: string, first: Alignment): Promise<SecondLook> {
    return this.ask({ type: 'compare', path, likePath, first });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread?.worker.terminate();
  }

  private async ask<Answer>(request: SoundRequest): Promise<Answer> {
    this.thread ??= this.start();
    const id = this.nextId++;
    const { worker } = this.thread;
    worker.ref();
    // A timeout ends the thread, so it also fails the waiting requests. Callers retry them in a new thread.
    const timer = setTimeout(() => void worker.terminate(), this.timeLimitMs);
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.asked.set(id, { resolve, reject });
        this.tell({ type: 'ask', id, request });
      });
    } finally {
      clearTimeout(timer);
      this.asked.delete(id);
      // An idle worker does not keep the process alive.
      if (this.asked.size === 0) worker.unref();
    }
  }

  private tell(message: SoundMessage): void {
    this.thread?.worker.postMessage(message);
  }

  private start(): Thread {
    const isCompiled = import.meta.url.endsWith('.js');
    const entry = isCompiled ? './fingerprint-worker.js' : '../worker-from-source.mjs';
    const worker = new Worker(new URL(entry, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
      env: {},
      execArgv: [],
      workerData: isCompiled
        ? undefined
        : { source: new URL('./fingerprint-worker.ts', import.meta.url).href },
    });
    worker.unref();
    worker.on('message', (answer: SoundAnswer) => {
      const asked = this.asked.get(answer.id);
      if ('answer' in answer) asked?.resolve(answer.answer as never);
      else asked?.reject(new Error(answer.failure));
    });
    // A failing worker also exits, and the listener below handles that.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.thread?.worker === worker) this.thread = undefined;
      for (const { reject } of this.asked.values()) reject(new Error('the sound comparison thread ended'));
    });
    return { worker, last: 0, recent: [] };
  }
}
