import { rm } from 'node:fs/promises';
import { CAPACITY } from '../../../application/shared/lanes.js';
import {
  AudioStudio,
  WavWriter,
  type AudioRejection,
} from '../../../application/publishing/samples/audio-studio.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MS } from '../../../application/publishing/values.js';
import type { AnalysisResult, OnProgress } from './analyse.js';
import type { OverviewResult, PreviewResult, WavResult } from './worker.js';
import { WorkerLost, WorkerPool } from './worker-pool.js';

const TIME_LIMIT_MS = 120_000;
const MEMORY_LIMIT_MB = 512;
const LIMITS = { bytes: AUDIO_LIMIT_BYTES, durationMs: AUDIO_LIMIT_MS };

/** Analyses audio in worker threads, so that a malicious file costs at most one worker until its time limit. */
export class WorkerAudioStudio implements AudioStudio, WavWriter {
  private readonly pool: WorkerPool;

  constructor(options: { threads?: number; timeLimitMs?: number; waiting?: number } = {}) {
    const isCompiled = import.meta.url.endsWith('.js');
    this.pool = new WorkerPool({
      entry: new URL(isCompiled ? './worker.js' : './worker-from-source.mjs', import.meta.url),
      threads: options.threads ?? CAPACITY.audio.atOnce,
      waiting: options.waiting ?? CAPACITY.audio.waiting,
      timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS,
      memoryLimitMb: MEMORY_LIMIT_MB,
    });
  }

  async analyse(
    path: string,
    previewPath: string,
    options: {
      onProgress?: OnProgress;
      owner?: string;
      signal?: AbortSignal | undefined;
      usualBpm?: number | undefined;
      previewStartMs?: number | undefined;
    } = {},
  ): Promise<AnalysisResult> {
    const { usualBpm, previewStartMs } = options;
    const run = () => this.pool.run({ path, previewPath, limits: LIMITS, usualBpm, previewStartMs }, options);
    return leavingNothing(previewPath, run);
  }

  preview(
    path: string,
    previewPath: string,
    { startMs, ...options }: { startMs: number; owner?: string },
  ): Promise<PreviewResult> {
    const job = { path, partPath: previewPath, startMs, limits: LIMITS };
    return leavingNothing(previewPath, () => this.pool.run(job, options));
  }

  overview(path: string, options: { owner?: string } = {}): Promise<OverviewResult> {
    return leavingNothing(undefined, () =>
      this.pool.run({ path, draws: true as const, limits: LIMITS }, options),
    );
  }

  toWav(
    path: string,
    wavPath: string,
    options: { owner?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<WavResult> {
    return leavingNothing(wavPath, () => this.pool.run({ path, wavPath, limits: LIMITS }, options));
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}

/** Removes what a refused or failed job has written. */
async function leavingNothing<Accepted extends object>(
  written: string | undefined,
  run: () => Promise<Outcome<Accepted, AudioRejection>>,
): Promise<Outcome<Accepted, AudioRejection>> {
  try {
    const result = await run();
    if (!result.accepted && written) await rm(written, { force: true });
    return result;
  } catch (error) {
    if (written) await rm(written, { force: true });
    if (!(error instanceof WorkerLost)) throw error;
    return reject({ code: 'AudioUnreadable', reason: 'the file could not be processed' });
  }
}
