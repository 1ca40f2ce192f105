import type { ByteWindow } from '../byte-window.js';
import { type PcmSource, unreadable } from '../pcm.js';
import { appleAdpcm, readAdpcm } from './adpcm.js';
import { assertShape, readSamples, type SampleEncoding } from './sample-encodings.js';

interface Common {
  channels: number;
  /** 0 if a program wrote the file to a pipe and did not know the length. */
  frames: number;
  bitDepth: number;
  sampleRateHz: number;
  /** Four characters; `NONE` in an AIFF without compression. */
  compression: string;
}

const IMA = 'ima4';

/** Reads AIFF and AIFF-C: integers of both byte orders, floating point, G.711 and Apple's IMA ADPCM. */
export function openAiff(bytes: ByteWindow): PcmSource {
  const { common, dataAt, dataBytes } = readChunks(bytes);
  const { channels, sampleRateHz, bitDepth, compression } = common;
  assertShape(channels, sampleRateHz);
  const described = { format: 'aiff', contentType: 'audio/aiff', sampleRateHz, channels } as const;
  if (compression === IMA) {
    const coding = appleAdpcm(channels);
    // In files with this compression, the `frames` field counts packets.
    const packets = common.frames || Math.floor(dataBytes / coding.blockBytes);
    if (packets * coding.blockBytes > dataBytes) throw unreadable('the file ends early');
    const frames = packets * coding.blockFrames;
    const place = { dataAt, dataBytes: packets * coding.blockBytes, frames };
    return {
      ...described,
      bitDepth: 4,
      expectedFrames: frames,
      // The last packet may be padded.
      hasExactLength: false,
      blocks: () => readAdpcm(bytes, coding, place),
    };
  }
  const encoding = encodingOf(compression, bitDepth);
  const frameBytes = encoding.bytes * channels;
  const frames = common.frames || Math.floor(dataBytes / frameBytes);
  if (frames * frameBytes > dataBytes) throw unreadable('the file ends early');
  return {
    ...described,
    bitDepth: encoding.kind === 'integer' ? bitDepth : encoding.bytes * 8,
    isFloat: encoding.kind === 'float',
    expectedFrames: frames,
    hasExactLength: true,
    blocks: () => readSamples(bytes, encoding, { dataAt, frames, channels }),
  };
}

function readChunks(bytes: ByteWindow): { common: Common; dataAt: number; dataBytes: number } {
  let common: Common | undefined;
  let data: { dataAt: number; dataBytes: number } | undefined;
  for (let at = 12; at + 8 <= bytes.sizeBytes && !(common && data);) {
    const header = bytes.view(at, 8);
    const id = header.toString('latin1', 0, 4);
    const size = header.readUInt32BE(4);
    if (id === 'COMM') common = readCommon(bytes.view(at + 8, Math.min(size, 22)));
    if (id === 'SSND') {
      const head = bytes.view(at + 8, 8);
      if (size < 8 || head.length < 8) throw unreadable('the header is damaged');
      const offset = head.readUInt32BE(0);
      if (at + 8 + size > bytes.sizeBytes) throw unreadable('the file ends early');
      data = { dataAt: at + 16 + offset, dataBytes: Math.max(0, size - 8 - offset) };
    }
    at += 8 + size + (size % 2);
  }
  if (!common) throw unreadable('the header is damaged');
  // The format allows a file without sound data only if it has no frames.
  return { common, ...(data ?? { dataAt: 0, dataBytes: 0 }) };
}

function readCommon(chunk: Buffer): Common {
  if (chunk.length < 18) throw unreadable('the header is damaged');
  return {
    channels: chunk.readUInt16BE(0),
    frames: chunk.readUInt32BE(2),
    bitDepth: chunk.readUInt16BE(6),
    sampleRateHz: readExtended(chunk.subarray(8, 18)),
    compression: chunk.length < 22 ? 'NONE' : chunk.toString('latin1', 18, 22),
  };
}

/** Reads an 80-bit floating-point number. Rates are positive and whole, so the lower half of the fraction is zero. */
function readExtended(bytes: Buffer): number {
  const exponent = bytes.readUInt16BE(0) - 16_383 - 31;
  return Math.round(bytes.readUInt32BE(2) * 2 ** exponent);
}

function encodingOf(compression: string, bitDepth: number): SampleEncoding {
  switch (compression) {
    case 'NONE':
    case 'twos':
    case 'in24':
    case 'in32':
      return integers(bitDepth, true);
    case 'sowt':
      return integers(bitDepth, false);
    case 'raw ':
      return { kind: 'unsigned', bytes: 1, isBigEndian: true };
    case 'fl32':
    case 'FL32':
      return { kind: 'float', bytes: 4, isBigEndian: true };
    case 'fl64':
    case 'FL64':
      return { kind: 'float', bytes: 8, isBigEndian: true };
    case 'ulaw':
    case 'ULAW':
      return { kind: 'mu-law', bytes: 1, isBigEndian: true };
    case 'alaw':
    case 'ALAW':
      return { kind: 'A-law', bytes: 1, isBigEndian: true };
    default:
      throw unreadable(`AIFF-C files with the compression “${printable(compression)}” are not supported`);
  }
}

function integers(bitDepth: number, isBigEndian: boolean): SampleEncoding {
  if (bitDepth < 1 || bitDepth > 32) throw unreadable('the bit depth is not supported');
  return { kind: 'integer', bytes: Math.ceil(bitDepth / 8), isBigEndian };
}

const printable = (text: string): string => text.replaceAll(/[^ -~]/g, '?');
