import { parentPort } from 'node:worker_threads';
import type { Outcome } from '../../../domain/shared/decision.js';
import type { AudioRejection, WavCopy } from '../../../application/publishing/samples/audio-studio.js';
import { analyse, type AnalysisResult } from './analyse.js';
import { type AudioLimits, orRejected } from './pcm.js';
import { overviewOf, writePreview } from './preview.js';
import { writeWav } from './wav-copy.js';

export type WavResult = Outcome<{ copy: WavCopy }, AudioRejection>;
export type PreviewResult = Outcome<
  { preview: { waveform: number[]; waveformFine: number[] } },
  AudioRejection
>;
export type OverviewResult = Outcome<{ bars: number[] }, AudioRejection>;
type Result = AnalysisResult | WavResult | PreviewResult | OverviewResult;
export type ResultOf<Job> = Job extends { wavPath: string }
  ? WavResult
  : Job extends { partPath: string }
    ? PreviewResult
    : Job extends { draws: true }
      ? OverviewResult
      : AnalysisResult;

/**
 * A job measures a file and writes its preview, writes its sound as a WAV, writes another preview, or computes its
 * waveform.
 */
export type AudioJob = { path: string; limits: AudioLimits } & (
  | { previewPath: string; usualBpm?: number | undefined; previewStartMs?: number | undefined }
  | { partPath: string; startMs: number }
  | { draws: true }
  | { wavPath: string }
);

export type WorkerMessage =
  | { type: 'progress'; phase: 'decoding' | 'analysing' | 'encoding'; share: number }
  | { type: 'done'; result: Result }
  | { type: 'failed'; message: string };

const PROGRESS_EVERY_MS = 100;

// Silences the console: libraries write warnings about unusual files to the console, but the rejection already has
// the reason.
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => undefined;

const send = (message: WorkerMessage) => parentPort?.postMessage(message);

parentPort?.on('message', (job: AudioJob) => void work(job));

async function work(job: AudioJob): Promise<void> {
  try {
    send({ type: 'done', result: await resultOf(job) });
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

function resultOf(job: AudioJob): Promise<Result> {
  const { path, limits } = job;
  if ('wavPath' in job)
    return orRejected(async () => ({ accepted: true, copy: await writeWav(path, job.wavPath, limits) }));
  if ('partPath' in job)
    return orRejected(async () => ({ accepted: true, preview: await writePreview(path, job.partPath, job) }));
  if ('draws' in job)
    return orRejected(async () => ({ accepted: true, bars: await overviewOf(path, limits) }));
  let sentAt = 0;
  return analyse(path, job.previewPath, {
    limits,
    usualBpm: job.usualBpm,
    previewStartMs: job.previewStartMs,
    onProgress: (phase, share) => {
      if (share > 0 && share < 1 && Date.now() - sentAt < PROGRESS_EVERY_MS) return;
      sentAt = Date.now();
      send({ type: 'progress', phase, share });
    },
  });
}
