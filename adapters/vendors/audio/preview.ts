import type { AnalysedAudio } from '../../../application/publishing/samples/audio-studio.js';
import { mixToMono } from '../../../domain/catalogue/sound/mono-track.js';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createMp3Encoder } from 'wasm-media-encoders';
import { withAudio } from './open-audio.js';
import { type AudioLimits, unreadable } from './pcm.js';
import { WaveformMeter } from './waveform.js';

/** Below 60 s, because an encoder adds silence. */
const LIMIT_SECONDS = 59.9;
const FADE_SECONDS = 0.5;
/** Keeps a preview that begins within a sound from clicking. */
const FADE_IN_SECONDS = 0.005;
const BITRATE_KBPS = 128;
const CHUNK_FRAMES = 65_536;

let encoderOfThread: ReturnType<typeof createMp3Encoder> | undefined;

/** One encoder per thread, reset by `configure`: creating one takes as long as encoding seconds of sound. */
const threadEncoder = (): ReturnType<typeof createMp3Encoder> => (encoderOfThread ??= createMp3Encoder());

/** Records up to a minute of a sound, in stereo at most, and writes it as an MP3. */
export class PreviewRecorder {
  private readonly limitFrames: number;
  private readonly blocks: Float32Array[][] = [];
  private frames = 0;
  private isCut = false;

  /** @param fadesIn for a part that begins within a sound */
  constructor(
    private readonly sampleRateHz: number,
    private readonly fadesIn = false,
  ) {
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

  /** Whether the preview has its full length, so that no further blocks are recorded. */
  get isFull(): boolean {
    return this.frames === this.limitFrames;
  }

  /** Encodes and writes the preview. @param onShare receives the encoded share, 0 to 1 */
  async write(path: string, onShare: (share: number) => void): Promise<void> {
    if (this.fadesIn) this.fadeIn();
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

  private fadeIn(): void {
    const fadeFrames = Math.round(FADE_IN_SECONDS * this.sampleRateHz);
    let at = 0;
    for (const block of this.blocks) {
      for (const samples of block)
        for (let index = 0; index < samples.length && at + index < fadeFrames; index++)
          samples[index] = ((samples[index] as number) * (at + index)) / fadeFrames;
      at += block[0]?.length ?? 0;
      if (at >= fadeFrames) return;
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

/** Leaves out the first frames of a sound. */
export class Skipping {
  constructor(private left: number) {}

  /** Returns the frames of a block that are not left out; undefined if there are none. */
  rest(block: Float32Array[]): Float32Array[] | undefined {
    if (this.left === 0) return block;
    const skipped = Math.min(this.left, block[0]?.length ?? 0);
    this.left -= skipped;
    const rest = block.map((samples) => samples.subarray(skipped));
    return rest[0]?.length ? rest : undefined;
  }
}

/** Writes a part of a sound as its preview. @returns its waveform @throws AudioRefused */
export const writePreview = (
  path: string,
  previewPath: string,
  { startMs, limits }: { startMs: number; limits: AudioLimits },
): Promise<Pick<AnalysedAudio, 'waveform' | 'waveformFine'>> =>
  withAudio(path, limits, async (source) => {
    const { sampleRateHz } = source;
    const skipping = new Skipping(Math.round((startMs / 1_000) * sampleRateHz));
    const waveform = new WaveformMeter(sampleRateHz);
    const preview = new PreviewRecorder(sampleRateHz, startMs > 0);
    let isHeard = false;
    for await (const block of source.blocks()) {
      const part = skipping.rest(block);
      if (!part) continue;
      isHeard = true;
      waveform.add(mixToMono(part));
      preview.add(part);
      if (preview.isFull) break;
    }
    if (!isHeard) throw unreadable('the sound ends before this part');
    await preview.write(previewPath, () => undefined);
    return waveform.finish();
  });

/** Returns the waveform of a whole sound. @throws AudioRefused */
export const overviewOf = (path: string, limits: AudioLimits): Promise<number[]> =>
  withAudio(path, limits, async (source) => {
    const { sampleRateHz, expectedFrames } = source;
    const waveform = new WaveformMeter(sampleRateHz, expectedFrames / sampleRateHz);
    for await (const block of source.blocks()) waveform.add(mixToMono(block));
    return waveform.finish().waveformFine;
  });

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
