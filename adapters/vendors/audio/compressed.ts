import { OfflineAudioContext } from 'node-web-audio-api';
import { unreadable } from './pcm.js';

/** Some encoded frames that decode on their own; only the last `samples` of what comes out are wanted. */
export interface FrameRun {
  bytes: Uint8Array;
  samples: number;
}

/**
 * Decodes run by run, so that memory stays bounded whatever the file claims.
 * @param trim samples to drop at the start, and how many to keep after that
 */
export async function* decodeFrames(
  runs: AsyncIterable<FrameRun>,
  { sampleRateHz, channels }: { sampleRateHz: number; channels: number },
  trim: { skip: number; keep: number },
): AsyncGenerator<Float32Array[]> {
  const context = new OfflineAudioContext(1, 1, sampleRateHz);
  let { skip, keep } = trim;
  for await (const run of runs) {
    const decoded = await decode(context, run.bytes);
    // Damaged frames are left out by the decoder: what is there counts from the end.
    const start = Math.max(0, decoded.length - run.samples);
    const from = Math.min(start + skip, decoded.length);
    const to = Math.min(from + keep, decoded.length);
    skip -= from - start;
    keep -= to - from;
    if (to === from) continue;
    yield Array.from({ length: channels }, (_, channel) =>
      finite(decoded.getChannelData(Math.min(channel, decoded.numberOfChannels - 1)).slice(from, to)),
    );
  }
}

async function decode(context: OfflineAudioContext, bytes: Uint8Array) {
  // The decoder takes the buffer away; the copy is its own.
  const own = new Uint8Array(bytes).buffer;
  try {
    return await context.decodeAudioData(own);
  } catch {
    throw unreadable('the sound cannot be decoded');
  }
}

function finite(samples: Float32Array): Float32Array {
  for (let index = 0; index < samples.length; index++) {
    const value = samples[index] as number;
    if (!(value >= -8 && value <= 8)) samples[index] = 0;
  }
  return samples;
}
