import { reject, type Outcome } from '../../../domain/shared/decision.js';
import type { AnalysedAudio, AudioRejection } from '../../../application/publishing/samples/audio-studio.js';

/** Decoded audio as a stream, so that a long file is never in memory as a whole. */
export interface PcmSource {
  format: AnalysedAudio['format'];
  contentType: string;
  sampleRateHz: number;
  channels: number;
  bitDepth?: number;
  /** Whether the samples are floating-point numbers, which may exceed −1…1. */
  isFloat?: boolean;
  /** The length that the file claims. Used for progress, and to refuse long files before decoding. */
  expectedFrames: number;
  /** Whether the length is exact to the sample. Only then can the length of a loop give its tempo. */
  hasExactLength: boolean;
  /** Yields blocks in order: one array of samples per channel, nominally −1…1, always finite. */
  blocks(): AsyncIterable<Float32Array[]>;
  /** Releases the resources of the source. Does not close the file. */
  close?(): void;
}

export class AudioRefused extends Error {
  constructor(readonly rejection: AudioRejection) {
    super(rejection.code);
    this.name = 'AudioRefused';
  }
}

/** Runs `work`, and returns the rejection if `work` throws AudioRefused. */
export async function orRejected<Accepted extends object>(
  work: () => Promise<Outcome<Accepted, AudioRejection>>,
): Promise<Outcome<Accepted, AudioRejection>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AudioRefused) return reject(error.rejection);
    throw error;
  }
}

export function unreadable(reason: string): AudioRefused {
  return new AudioRefused({ code: 'AudioUnreadable', reason });
}

export interface AudioLimits {
  bytes: number;
  durationMs: number;
}

/** Checks the duration before or after decoding. @throws AudioRefused if it is too long, or zero */
export function assertDuration(frames: number, sampleRateHz: number, limits: AudioLimits): void {
  if (frames === 0) throw new AudioRefused({ code: 'AudioEmpty' });
  const durationMs = Math.round((frames / sampleRateHz) * 1000);
  if (durationMs > limits.durationMs)
    throw new AudioRefused({ code: 'AudioTooLong', limitMs: limits.durationMs, durationMs });
}
