import { closeSync, openSync, writeSync } from 'node:fs';
import type { WavCopy } from '../../../application/publishing/samples/audio-studio.js';
import { withAudio } from './open-audio.js';
import { type AudioLimits, type PcmSource, unreadable } from './pcm.js';

const HEADER_BYTES = 44;
/**
 * The maximum size of a copy. Long compressed silence with many channels is a small file, but its copy could need
 * gigabytes.
 */
const WAV_COPY_LIMIT_BYTES = 2 ** 30;
/** Bits of a copy whose original has lossy compression. */
const LOSSY_BITS = 24;

/**
 * Writes the sound of a file as a WAV: 16 or 24 bits, or floating point if the original has it or more than 24 bits.
 * @throws AudioRefused
 */
export function writeWav(path: string, wavPath: string, limits: AudioLimits): Promise<WavCopy> {
  return withAudio(path, limits, async (source) => {
    const { sampleRateHz, channels } = source;
    const layout = layoutOf(source);
    const file = openSync(wavPath, 'w', 0o600);
    let frames = 0;
    try {
      writeSync(file, headerOf(source, layout, 0));
      for await (const block of source.blocks()) {
        frames += block[0]?.length ?? 0;
        if (HEADER_BYTES + frames * channels * layout.bytes > WAV_COPY_LIMIT_BYTES)
          throw unreadable('the WAV copy would be too large');
        writeSync(file, interleaved(block, layout));
      }
      const dataBytes = frames * channels * layout.bytes;
      if (dataBytes % 2 === 1) writeSync(file, Buffer.alloc(1));
      writeSync(file, headerOf(source, layout, dataBytes), 0, HEADER_BYTES, 0);
      return { sampleRateHz, frames, sizeBytes: HEADER_BYTES + dataBytes + (dataBytes % 2) };
    } finally {
      closeSync(file);
    }
  });
}

interface Layout {
  bytes: number;
  isFloat: boolean;
}

function layoutOf({ bitDepth = LOSSY_BITS, isFloat = false }: PcmSource): Layout {
  if (isFloat || bitDepth > 24) return { bytes: 4, isFloat: true };
  return { bytes: bitDepth > 16 ? 3 : 2, isFloat: false };
}

function headerOf({ sampleRateHz, channels }: PcmSource, layout: Layout, dataBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + dataBytes + (dataBytes % 2), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(layout.isFloat ? 3 : 1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * channels * layout.bytes, 28);
  header.writeUInt16LE(channels * layout.bytes, 32);
  header.writeUInt16LE(layout.bytes * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

function interleaved(block: readonly Float32Array[], { bytes, isFloat }: Layout): Buffer {
  const frames = block[0]?.length ?? 0;
  const out = Buffer.alloc(frames * block.length * bytes);
  const scale = 2 ** (bytes * 8 - 1);
  for (const [channel, samples] of block.entries())
    for (let frame = 0; frame < frames; frame++) {
      const at = (frame * block.length + channel) * bytes;
      const value = samples[frame] as number;
      if (isFloat) out.writeFloatLE(value, at);
      else out.writeIntLE(Math.max(-scale, Math.min(scale - 1, Math.round(value * scale))), at, bytes);
    }
  return out;
}
