import type { ByteWindow } from '../byte-window.js';
import { type PcmSource, unreadable } from '../pcm.js';

/** How a file stores one sample. Integers of fewer bits than their bytes hold are at the upper end of these bytes. */
export interface SampleEncoding {
  kind: 'integer' | 'unsigned' | 'float' | 'mu-law' | 'A-law';
  bytes: number;
  isBigEndian: boolean;
}

type ReadSample = (view: DataView, at: number) => number;

const BLOCK_FRAMES = 32_768;

/** Refuses channel counts and sample rates that the later steps do not handle. */
export function assertShape(channels: number, sampleRateHz: number): void {
  if (channels < 1 || channels > 8) throw unreadable('the number of channels is not supported');
  if (!(sampleRateHz >= 8_000 && sampleRateHz <= 192_000))
    throw unreadable('the sample rate is not supported');
}

/** Yields interleaved samples of a fixed size, in blocks. @throws AudioRefused if the file is shorter */
export async function* readSamples(
  bytes: ByteWindow,
  encoding: SampleEncoding,
  { dataAt, frames, channels }: { dataAt: number; frames: number; channels: number },
): ReturnType<PcmSource['blocks']> {
  const read = sampleReader(encoding);
  const frameBytes = encoding.bytes * channels;
  for (let at = 0; at < frames; at += BLOCK_FRAMES) {
    const count = Math.min(BLOCK_FRAMES, frames - at);
    const raw = bytes.read(dataAt + at * frameBytes, count * frameBytes);
    if (raw.length < count * frameBytes) throw unreadable('the file ends early');
    const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
    yield Array.from({ length: channels }, (_, channel) => {
      const samples = new Float32Array(count);
      for (let frame = 0; frame < count; frame++)
        samples[frame] = read(view, frame * frameBytes + channel * encoding.bytes);
      return samples;
    });
  }
}

function sampleReader({ kind, bytes, isBigEndian }: SampleEncoding): ReadSample {
  const isLittleEndian = !isBigEndian;
  if (kind === 'mu-law') return fromTable(decodeMuLaw);
  if (kind === 'A-law') return fromTable(decodeALaw);
  if (kind === 'unsigned') return (view, at) => (view.getUint8(at) - 128) / 128;
  if (kind === 'float') {
    const read: ReadSample = (view, at) =>
      bytes === 4 ? view.getFloat32(at, isLittleEndian) : view.getFloat64(at, isLittleEndian);
    return (view, at) => {
      const value = read(view, at);
      // Damaged files contain NaN and huge values, which later steps cannot handle.
      return value >= -8 && value <= 8 ? value : 0;
    };
  }
  if (bytes === 1) return (view, at) => view.getInt8(at) / 128;
  if (bytes === 2) return (view, at) => view.getInt16(at, isLittleEndian) / 32_768;
  if (bytes === 4) return (view, at) => view.getInt32(at, isLittleEndian) / 2_147_483_648;
  const [high, low] = isBigEndian ? [0, 1] : [2, 0];
  return (view, at) =>
    ((view.getInt8(at + high) << 16) | view.getUint16(at + low, isLittleEndian)) / 8_388_608;
}

function fromTable(decode: (byte: number) => number): ReadSample {
  const table = Float32Array.from({ length: 256 }, (_, byte) => decode(byte) / 32_768);
  return (view, at) => table[view.getUint8(at)] as number;
}

/** Decodes a byte of ITU-T G.711 µ-law to 16 bits. */
function decodeMuLaw(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = ((((bits & 15) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return bits & 0x80 ? -magnitude : magnitude;
}

/** Decodes a byte of ITU-T G.711 A-law to 16 bits. */
function decodeALaw(byte: number): number {
  const bits = byte ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}
