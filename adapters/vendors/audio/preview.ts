import { closeSync, openSync, writeSync } from 'node:fs';
import { createMp3Encoder } from 'wasm-media-encoders';

/** Below 60 s, because an encoder adds silence. */
const LIMIT_SECONDS = 59.9;
const FADE_SECONDS = 0.5;
const BITRATE_KBPS = 128;
const CHUNK_FRAMES = 65_536;

let encoderOfThread: ReturnType<typeof createMp3Encoder> | undefined;

/** One encoder per thread, reset by `configure`: creating one takes as long as encoding seconds of sound. */
const threadEncoder = (): ReturnType<typeof createMp3Encoder> => (encoderOfThread ??= createMp3Encoder());

/** Records the first minute, in stereo at most, and writes it as an MP3. */
export class PreviewRecorder {
  private readonly limitFrames: number;
  private readonly blocks: Float32Array[][] = [];
  private frames = 0;
  private isCut = false;

  constructor(private readonly sampleRateHz: number) {
    this.limitFrames = Math.floor(LIMIT_SECONDS * sampleRateHz);
  }

  add(block: readonly Float32Array[]): void {
    const frames = block[0]?.length ?? 0;
    const kept = Math.min(frames, this.limitFrames - this.frames);
    if (kept < frames) this.isCut = true;
    if (kept === 0) return;
    this.blocks.push(mixToStereo(block, kept));
    this.frames += kept;
  }

  /** Encodes and writes the preview. @param onShare receives the encoded share, 0 to 1 */
  async write(path: string, onShare: (share: number) => void): Promise<void> {
    if (this.isCut) this.fadeOut();
    const encoder = await threadEncoder();
    const channels = this.blocks[0]?.length === 1 ? 1 : 2;
    encoder.configure({
      channels,
      sampleRate: this.sampleRateHz,
      bitrate: BITRATE_KBPS,
      outputSampleRate: this.sampleRateHz % 48_000 === 0 ? 48_000 : 44_100,
    });
    const file = openSync(path, 'w');
    try {
      let done = 0;
      for (const block of this.blocks) {
        const frames = block[0]?.length ?? 0;
        for (let at = 0; at < frames; at += CHUNK_FRAMES)
          writeSync(file, encoder.encode(block.map((samples) => samples.subarray(at, at + CHUNK_FRAMES))));
        done += frames;
        onShare(done / this.frames);
      }
      writeSync(file, encoder.finalize());
    } finally {
      closeSync(file);
    }
  }

  private fadeOut(): void {
    const fadeFrames = Math.round(FADE_SECONDS * this.sampleRateHz);
    let toEnd = this.frames;
    for (const block of this.blocks) {
      const frames = block[0]?.length ?? 0;
      for (const samples of block)
        for (let index = Math.max(0, frames - (fadeFrames - (toEnd - frames))); index < frames; index++)
          samples[index] = ((samples[index] as number) * (toEnd - index)) / fadeFrames;
      toEnd -= frames;
    }
  }
}

/** Returns the first frames of a block. Surround becomes stereo: even channels average to left, odd ones to right. */
function mixToStereo(block: readonly Float32Array[], frames: number): Float32Array[] {
  if (block.length <= 2) return block.map((samples) => limit(samples.slice(0, frames)));
  return [0, 1].map((side) => {
    const mixed = new Float32Array(frames);
    const channels = block.filter((_, index) => index % 2 === side);
    for (const samples of channels)
      for (let index = 0; index < frames; index++)
        mixed[index] = (mixed[index] as number) + (samples[index] as number) / channels.length;
    return limit(mixed);
  });
}

function limit(samples: Float32Array): Float32Array {
  for (let index = 0; index < samples.length; index++) {
    const value = samples[index] as number;
    if (value > 1) samples[index] = 1;
    else if (value < -1) samples[index] = -1;
  }
  return samples;
}
