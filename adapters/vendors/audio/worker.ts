import { parentPort } from 'node:worker_threads';
import { analyse, type AnalysisResult } from './analyse.js';
import type { AudioLimits } from './pcm.js';

export interface AnalysisJob {
  path: string;
  previewPath: string;
  limits: AudioLimits;
}

export type WorkerMessage =
  | { type: 'progress'; phase: 'decoding' | 'analysing' | 'encoding'; share: number }
  | { type: 'done'; result: AnalysisResult }
  | { type: 'failed'; message: string };

const PROGRESS_EVERY_MS = 100;

// Silences the console: libraries warn there about unusual files, and the rejection already has the reason.
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => undefined;

const send = (message: WorkerMessage) => parentPort?.postMessage(message);

parentPort?.on('message', (job: AnalysisJob) => void work(job));

async function work(job: AnalysisJob): Promise<void> {
  let sentAt = 0;
  try {
    const result = await analyse(job.path, job.previewPath, {
      limits: job.limits,
      onProgress: (phase, share) => {
        if (share > 0 && share < 1 && Date.now() - sentAt < PROGRESS_EVERY_MS) return;
        sentAt = Date.now();
        send({ type: 'progress', phase, share });
      },
    });
    send({ type: 'done', result });
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}
