import { OfflineAudioContext } from 'node-web-audio-api';
import type { ByteWindow } from '../byte-window.js';
import { unreadable } from '../pcm.js';

const RUN_FRAMES = 1_000;

export interface FrameStream {
  sampleRateHz: number;
  channels: number;
  samplesPerFrame: number;
  /** The number of preceding frames that the decoder needs to decode the first frame of a run completely. */
  primingFrames: number;
}

export interface Frame {
  lengthBytes: number;
}

/** Finds all frames of a stream without a container. Skips damaged bytes, at which `read` returns undefined. */
export function scanFrames<F extends Frame>(
  bytes: ByteWindow,
  startAt: number,
  read: (at: number, first: F | undefined) => F | undefined,
): { first: F; places: Array<{ at: number; length: number }> } {
  const places: Array<{ at: number; length: number }> = [];
  let first: F | undefined;
  let lostBytes = 0;
  for (let at = startAt; at < bytes.sizeBytes;) {
    const frame = read(at, first);
    if (!frame) {
      at++;
      lostBytes++;
      continue;
    }
    first ??= frame;
    places.push({ at, length: frame.lengthBytes });
    at += frame.lengthBytes;
  }
  if (!first) throw unreadable('there is no sound in the file');
  if (lostBytes > bytes.sizeBytes / 2) throw unreadable('the file is damaged');
  return { first, places };
}

export function* readFrames(
  bytes: ByteWindow,
  places: ReadonlyArray<{ at: number; length: number }>,
): Generator<Uint8Array> {
  for (const { at, length } of places) yield Buffer.from(bytes.view(at, length));
}

/** Decodes the frames in short runs, so that memory stays bounded. Drops `skip` samples, then yields `keep` samples. */
export async function* decodeFrames(
  frames: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  stream: FrameStream,
  trim: { skip: number; keep: number },
): AsyncGenerator<Float32Array[]> {
  const context = new OfflineAudioContext(1, 1, stream.sampleRateHz);
  let { skip, keep } = trim;
  for await (const run of runs(frames, stream)) {
    const decoded = await decode(context, run.bytes);
    // The decoder skips damaged frames, so decoded runs vary in length. The samples of the run are the last ones.
    const start = Math.max(0, decoded.length - run.samples);
    const from = Math.min(start + skip, decoded.length);
    const to = Math.min(from + keep, decoded.length);
    skip -= from - start;
    keep -= to - from;
    if (to === from) continue;
    yield Array.from({ length: stream.channels }, (_, channel) =>
      finite(decoded.getChannelData(Math.min(channel, decoded.numberOfChannels - 1)).slice(from, to)),
    );
  }
}

/** Yields runs of frames that decode on their own. Priming frames come first, so only the last `samples` count. */
async function* runs(
  frames: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { samplesPerFrame, primingFrames }: FrameStream,
): AsyncGenerator<{ bytes: Buffer; samples: number }> {
  let priming: Uint8Array[] = [];
  let run: Uint8Array[] = [];
  const joined = () => ({
    bytes: Buffer.concat([...priming, ...run]),
    samples: run.length * samplesPerFrame,
  });
  for await (const frame of frames) {
    run.push(frame);
    if (run.length < RUN_FRAMES) continue;
    yield joined();
    priming = run.slice(-primingFrames);
    run = [];
  }
  if (run.length > 0) yield joined();
}

/** @throws AudioRefused if nothing can be decoded */
export async function decode(context: OfflineAudioContext, bytes: Uint8Array) {
  // Copies the bytes, because the decoder detaches the buffer that it gets.
  const own = new Uint8Array(bytes).buffer;
  try {
    return await context.decodeAudioData(own);
  } catch {
    throw unreadable('the audio cannot be decoded');
  }
}

function finite(samples: Float32Array): Float32Array {
  for (let index = 0; index < samples.length; index++) {
    const value = samples[index] as number;
    if (!(value >= -8 && value <= 8)) samples[index] = 0;
  }
  return samples;
}
