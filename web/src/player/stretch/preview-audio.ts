/** A decoded preview. @property startSeconds the silence that the encoder added before the sound */
export interface PreviewAudio {
  buffer: AudioBuffer;
  startSeconds: number;
}

/** Sound is stretched in blocks. Short blocks keep attacks sharp, and long blocks keep low tones steady. */
export const BLOCKS = {
  percussive: { blockMs: 60, intervalMs: 15, tonalityHz: 0 },
  tonal: { blockMs: 120, intervalMs: 30, tonalityHz: 8_000 },
} as const;

/** The bytes of an empty WebAssembly module. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** Rejects where WebAssembly is missing or not allowed. */
export const checkWebAssembly = async (): Promise<void> => void (await WebAssembly.compile(EMPTY_MODULE));

/** The samples of silence that an MP3 encoder and decoder add before the sound. No tag of our previews states them. */
const ADDED_SAMPLES = 576 + 529;

/** Returns the sample rate of an MP3 file that begins with a frame. The encoder uses only these two rates. */
const rateOf = (bytes: ArrayBuffer): number =>
  (((new Uint8Array(bytes)[2] ?? 0) >> 2) & 3) === 1 ? 48_000 : 44_100;

export async function decodePreview(context: BaseAudioContext, bytes: ArrayBuffer): Promise<PreviewAudio> {
  const startSeconds = ADDED_SAMPLES / rateOf(bytes);
  return { buffer: await context.decodeAudioData(bytes), startSeconds };
}

/** If two lengths differ by less than this, the difference is inaudible. */
const TOLERANCE_SECONDS = 0.004;

/** Returns the frame at which the sound begins in a decoded preview. @param seconds the true length of the sound */
export function beginOf({ buffer, startSeconds }: PreviewAudio, seconds: number): number {
  // Some browsers remove the added silence while decoding. Then the sound begins at frame 0.
  const isWhole = buffer.duration - startSeconds >= seconds - TOLERANCE_SECONDS;
  return isWhole ? Math.round(startSeconds * buffer.sampleRate) : 0;
}

/**
 * Returns the samples of one channel between `frames.from` and `frames.from + frames.length`.
 * @param around for a loop: the number of frames to add before and after, by repeating the loop
 */
export function cut(
  channel: Float32Array,
  frames: { from: number; length: number },
  around = 0,
): Float32Array<ArrayBuffer> {
  const once = new Float32Array(frames.length);
  once.set(channel.subarray(frames.from, frames.from + frames.length));
  if (around === 0) return once;
  const repeated = new Float32Array(frames.length + 2 * around);
  const lead = around % frames.length;
  repeated.set(once.subarray(frames.length - lead));
  for (let at = lead; at < repeated.length; at += frames.length)
    repeated.set(once.subarray(0, repeated.length - at), at);
  return repeated;
}
