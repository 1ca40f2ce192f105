import type { ByteWindow } from './byte-window.js';
import { type PcmSource, unreadable } from './pcm.js';

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
/** The fixed end of the GUID in an extensible header. The format tag, such as PCM, is the part before it. */
const SUBFORMAT_TAIL = '00001000800000aa00389b71';
const BLOCK_FRAMES = 32_768;
/** The sizes that programs write to a header when they do not know the real size, for example in a pipe. */
const UNKNOWN_SIZES = new Set([0, 0x7fffffff, 0x7ffff000, 0xffffffff]);

interface Format {
  tag: number;
  channels: number;
  sampleRateHz: number;
  bitDepth: number;
}

/** Replaces mediabunny, which accepts half a file, fails on a 3-byte LIST, knows no BW64 (`docs/measurements.md`). */
export function openWav(bytes: ByteWindow): PcmSource {
  const { format, dataAt, dataBytes } = readHeader(bytes);
  const bytesPerFrame = (format.bitDepth / 8) * format.channels;
  const frames = Math.floor(dataBytes / bytesPerFrame);
  const read = sampleReader(format);
  return {
    format: 'wav',
    contentType: 'audio/wav',
    sampleRateHz: format.sampleRateHz,
    channels: format.channels,
    bitDepth: format.bitDepth,
    expectedFrames: frames,
    hasExactLength: true,
    async *blocks() {
      for (let at = 0; at < frames; at += BLOCK_FRAMES) {
        const count = Math.min(BLOCK_FRAMES, frames - at);
        const raw = bytes.read(dataAt + at * bytesPerFrame, count * bytesPerFrame);
        if (raw.length < count * bytesPerFrame) throw unreadable('the file ends early');
        const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
        yield Array.from({ length: format.channels }, (_, channel) => {
          const samples = new Float32Array(count);
          for (let frame = 0; frame < count; frame++)
            samples[frame] = read(view, frame * bytesPerFrame + (channel * format.bitDepth) / 8);
          return samples;
        });
      }
    },
  };
}

function readHeader(bytes: ByteWindow): { format: Format; dataAt: number; dataBytes: number } {
  let format: Format | undefined;
  let longDataBytes: number | undefined;
  for (let at = 12; at + 8 <= bytes.sizeBytes;) {
    const header = bytes.view(at, 8);
    const id = header.toString('latin1', 0, 4);
    const size = header.readUInt32LE(4);
    const left = bytes.sizeBytes - at - 8;
    // RF64 stores its 64-bit sizes here.
    if (id === 'ds64' && size >= 24 && left >= 24)
      longDataBytes = Number(bytes.read(at + 16, 8).readBigUInt64LE());
    if (id === 'data') {
      if (!format) throw unreadable('the data chunk comes before the format chunk');
      const claimed = size === 0xffffffff ? (longDataBytes ?? size) : size;
      return { format, dataAt: at + 8, dataBytes: presentBytes(claimed, left) };
    }
    if (id === 'fmt ') format = readFormat(bytes.view(at + 8, Math.min(size, 40)));
    at += 8 + size + (size % 2);
  }
  throw unreadable(format ? 'there is no sound in the file' : 'the header is damaged');
}

/** Returns how many bytes of audio the file has. @throws AudioRefused if the header claims more than are left */
function presentBytes(claimed: number, left: number): number {
  if (claimed <= left) return claimed;
  if (UNKNOWN_SIZES.has(claimed)) return left;
  throw unreadable('the file ends early');
}

function readFormat(chunk: Buffer): Format {
  if (chunk.length < 16) throw unreadable('the header is damaged');
  let tag = chunk.readUInt16LE(0);
  if (tag === EXTENSIBLE) {
    if (chunk.length < 40) throw unreadable('the header is damaged');
    tag = chunk.readUInt16LE(24);
    if (chunk.toString('hex', 28, 40) !== SUBFORMAT_TAIL) tag = EXTENSIBLE;
  }
  const channels = chunk.readUInt16LE(2);
  const sampleRateHz = chunk.readUInt32LE(4);
  const blockBytes = chunk.readUInt16LE(12);
  const bitDepth = chunk.readUInt16LE(14);
  const known =
    (tag === PCM && [8, 16, 24, 32].includes(bitDepth)) || (tag === FLOAT && [32, 64].includes(bitDepth));
  if (!known) throw unreadable('this kind of WAV is not supported');
  if (channels < 1 || channels > 8) throw unreadable('the number of channels is not supported');
  if (sampleRateHz < 8_000 || sampleRateHz > 192_000) throw unreadable('the sample rate is not supported');
  if (blockBytes !== (bitDepth / 8) * channels) throw unreadable('the header contradicts itself');
  return { tag, channels, sampleRateHz, bitDepth };
}

function sampleReader({ tag, bitDepth }: Format): (view: DataView, at: number) => number {
  if (tag === FLOAT) {
    const read = (view: DataView, at: number) =>
      bitDepth === 32 ? view.getFloat32(at, true) : view.getFloat64(at, true);
    return (view, at) => {
      const value = read(view, at);
      // Damaged files contain NaN and huge values, which later steps cannot handle.
      return value >= -8 && value <= 8 ? value : 0;
    };
  }
  if (bitDepth === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (bitDepth === 16) return (view, at) => view.getInt16(at, true) / 32_768;
  if (bitDepth === 24)
    return (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608;
  return (view, at) => view.getInt32(at, true) / 2_147_483_648;
}
