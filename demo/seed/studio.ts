import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AudioStudio, type AnalysedAudio } from '../../application/publishing/samples/audio-studio.js';
import type { SoundPlan } from '../make.js';
import type { DemoJob, DemoResult } from './worker.js';

/**
 * Makes and analyses the demo sounds in worker threads. When a demo sound is uploaded, returns that analysis instead of
 * decoding the sound again.
 */
export class DemoStudio implements AudioStudio {
  private readonly folder: string;
  private readonly workers: Worker[];
  private readonly queue: Array<(worker: Worker) => void> = [];
  private readonly idle: Worker[];
  private readonly made = new Map<string, DemoResult>();

  constructor(options: { folder: string; threads: number }) {
    mkdirSync(options.folder, { recursive: true });
    // Removes the files of an earlier start that was killed.
    for (const name of readdirSync(options.folder))
      if (name.startsWith('demo-')) rmSync(join(options.folder, name), { recursive: true, force: true });
    this.folder = mkdtempSync(join(options.folder, 'demo-'));
    const compiled = import.meta.url.endsWith('.js');
    const entry = new URL(
      compiled ? './worker.js' : '../../adapters/vendors/audio/worker-from-source.mjs',
      import.meta.url,
    );
    const source = new URL('./worker.ts', import.meta.url).href;
    this.workers = Array.from(
      { length: options.threads },
      () => new Worker(entry, { env: {}, execArgv: [], workerData: compiled ? undefined : { source } }),
    );
    this.idle = [...this.workers];
  }

  /** Makes a sound's files. They stay in a temporary folder until publishing takes them. */
  async make(plan: SoundPlan): Promise<DemoResult> {
    const worker = await this.take();
    const job: DemoJob = { plan, basePath: join(this.folder, randomUUID()) };
    try {
      worker.postMessage(job);
      // `once` rejects if the thread fails.
      const [result] = (await once(worker, 'message')) as [DemoResult];
      this.made.set(result.wav.path, result);
      return result;
    } catch (error) {
      throw new Error(`${plan.name} could not be made: ${(error as Error).message}`, { cause: error });
    } finally {
      const next = this.queue.shift();
      if (next) next(worker);
      else this.idle.push(worker);
    }
  }

  /** Always rejects: the seeding never changes which part of a sound is the preview. */
  preview(): Promise<never> {
    return Promise.reject(new Error('the demo makes no other previews'));
  }

  overview(): Promise<never> {
    return this.preview();
  }

  /** Returns the analysis that was made with a sound, and moves the sound's preview to `previewPath`. */
  async analyse(path: string, previewPath: string): Promise<{ accepted: true; audio: AnalysedAudio }> {
    const result = this.made.get(path);
    if (!result) throw new Error(`${path} was not made here`);
    this.made.delete(path);
    await rename(result.previewPath, previewPath);
    return { accepted: true, audio: result.audio };
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
    await rm(this.folder, { recursive: true, force: true });
  }

  private take(): Promise<Worker> {
    const worker = this.idle.pop();
    return worker ? Promise.resolve(worker) : new Promise((resolve) => this.queue.push(resolve));
  }
}
