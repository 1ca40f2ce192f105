import { OWN_SOUND_MAX_MB, PREVIEW_LIMIT_SECONDS } from '../../../../application/catalogue/values.js';
import { mediaAddress } from '../../../../application/media/values.js';
import { mediaBase } from '../../api/page-settings.js';
import { beginOf, cut, decodePreview, type PreviewAudio } from '../../player/stretch/preview-audio.js';
import { copied, finished, isAsRecorded, resampled, type Rendering } from './rendering.js';
import type { ToStretch } from './stretch-worker.js';
import type { EngineLane, LaneFailure } from './lane.js';
import { RATE_HZ } from './timeline.js';

/** Longer files of the listener are refused, because a sound and its rendering are held in memory. */
export const OWN_LANE_LIMIT_SECONDS = 120;
const FETCH_LIMIT_MS = 15_000;
const STRETCH_LIMIT_MS = 30_000;

export class LaneError extends Error {
  constructor(
    readonly reason: LaneFailure,
    options?: ErrorOptions,
  ) {
    super(`The sound cannot be used: ${reason}.`, options);
  }
}

/** Loads a sound, without the silence that the encoder of previews added. @throws LaneError */
export async function loadSound({ source, seconds, cycleBeats }: EngineLane): Promise<AudioBuffer> {
  const context = new OfflineAudioContext(1, 1, RATE_HZ);
  const preview =
    'url' in source ? await fetchPreview(context, source.url) : await readFile(context, source.file);
  const wanted = Math.min(
    seconds ?? preview.buffer.duration,
    'url' in source ? PREVIEW_LIMIT_SECONDS : Infinity,
  );
  const from = beginOf(preview, wanted);
  const exact = Math.max(1, Math.round(wanted * RATE_HZ));
  const length = cycleBeats === null ? Math.max(1, Math.min(exact, preview.buffer.length - from)) : exact;
  return bufferOf(channelsOf(preview.buffer).map((channel) => cut(channel, { from, length })));
}

async function fetchPreview(context: BaseAudioContext, url: string): Promise<PreviewAudio> {
  // If the media origin fails, this site may have the file.
  const addresses = [...new Set([mediaAddress(url, mediaBase()), url])];
  let failure = new LaneError('network');
  for (const address of addresses)
    try {
      const signal = AbortSignal.timeout(FETCH_LIMIT_MS);
      const response = await fetch(address, { credentials: 'same-origin', signal });
      if (!response.ok) throw new LaneError(response.status < 500 ? 'missing' : 'network');
      return await decoded(context, await response.arrayBuffer(), decodePreview);
    } catch (cause) {
      failure = cause instanceof LaneError ? cause : new LaneError('network', { cause });
    }
  throw failure;
}

async function readFile(context: BaseAudioContext, file: File): Promise<PreviewAudio> {
  if (file.size > OWN_SOUND_MAX_MB * 2 ** 20) throw new LaneError('too-large');
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    throw new LaneError('unreadable', { cause });
  });
  const decode = async () => ({ buffer: await context.decodeAudioData(bytes), startSeconds: 0 });
  const preview = await decoded(context, bytes, decode);
  if (preview.buffer.duration > OWN_LANE_LIMIT_SECONDS) throw new LaneError('too-long');
  return preview;
}

const decoded = (context: BaseAudioContext, bytes: ArrayBuffer, decode: typeof decodePreview) =>
  decode(context, bytes).catch((cause: unknown) => {
    throw new LaneError('unreadable', { cause });
  });

const channelsOf = (buffer: AudioBuffer): Float32Array<ArrayBuffer>[] =>
  Array.from({ length: Math.min(2, buffer.numberOfChannels) }, (_, at) => buffer.getChannelData(at));

export function bufferOf(channels: readonly Float32Array<ArrayBuffer>[]): AudioBuffer {
  const length = channels[0]?.length ?? 1;
  const buffer = new AudioBuffer({ length, numberOfChannels: channels.length, sampleRate: RATE_HZ });
  for (const [at, channel] of channels.entries()) buffer.copyToChannel(channel, at);
  return buffer;
}

/** Renders a piece of a sound. @property isStretched false if this browser could not stretch it */
export async function render(
  sound: AudioBuffer,
  rendering: Rendering,
  signal: AbortSignal,
): Promise<{ buffer: AudioBuffer; isStretched: boolean }> {
  const channels = channelsOf(sound);
  const isPlain = isAsRecorded(rendering);
  const stretched = isPlain ? null : await stretch({ channels, rendering }, signal);
  const raw = stretched ?? (isPlain ? copied : resampled)(channels, rendering);
  return { buffer: bufferOf(finished(raw, rendering)), isStretched: isPlain || stretched !== null };
}

/** Stretches in a worker, which is terminated as soon as the result is no longer needed. Resolves null on failure. */
async function stretch(work: ToStretch, signal: AbortSignal): Promise<Float32Array<ArrayBuffer>[] | null> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./stretch-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Float32Array<ArrayBuffer>[] | null>((resolve, reject) => {
    const late = setTimeout(() => resolve(null), STRETCH_LIMIT_MS);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    worker.onmessage = ({ data }: MessageEvent<Float32Array<ArrayBuffer>[] | null>) => {
      clearTimeout(late);
      resolve(data);
    };
    worker.onerror = () => resolve(null);
    worker.postMessage(work);
  }).finally(() => worker.terminate());
}
