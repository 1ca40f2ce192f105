import type { ByteWindow } from '../byte-window.js';
import { type PcmSource, unreadable } from '../pcm.js';
import { type AdpcmCoding, imaAdpcm, microsoftAdpcm, readAdpcm } from './adpcm.js';
import { assertShape, readSamples, type SampleEncoding } from './sample-encodings.js';

const PCM = 1;
const MS_ADPCM = 2;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;
const IMA_ADPCM = 0x11;
/** The format tag of a WAV whose data chunk is an Ogg file with Vorbis. */
const OGG_VORBIS = 0x674f;
const EXTENSIBLE = 0xfffe;
/** The fixed end of the GUID in an extensible header. The format tag, such as PCM, is the part before it. */
const SUBFORMAT_TAIL = '00001000800000aa00389b71';
/** The sizes that programs write to a header when they do not know the real size, for example in a pipe. */
const UNKNOWN_SIZES = new Set([0, 0x7fffffff, 0x7ffff000, 0xffffffff]);

interface Format {
  channels: number;
  sampleRateHz: number;
  bitDepth: number;
  coding: { samples: SampleEncoding } | { blocks: AdpcmCoding } | 'ogg';
}

interface Data {
  format: Format;
  dataAt: number;
  dataBytes: number;
  /** The length that a `fact` chunk states. Files with compression need it, because encoders pad the last block. */
  statedFrames: number | undefined;
}

/**
 * Replaces mediabunny, which accepts half a file, fails on a 3-byte LIST, knows no BW64 (`docs/measurements.md`).
 * @param openOgg opens Ogg at a position of the file
 */
export async function openWav(
  bytes: ByteWindow,
  openOgg: (at: number) => Promise<PcmSource>,
): Promise<PcmSource> {
  const { format, ...data } = readHeader(bytes);
  const { channels, sampleRateHz, bitDepth, coding } = format;
  const described = { format: 'wav', contentType: 'audio/wav', sampleRateHz, channels, bitDepth } as const;
  if (coding === 'ogg') return { ...(await openOgg(data.dataAt)), format: 'wav', contentType: 'audio/wav' };
  if ('blocks' in coding) {
    const { blockBytes, blockFrames, framesIn } = coding.blocks;
    const present =
      Math.floor(data.dataBytes / blockBytes) * blockFrames + framesIn(data.dataBytes % blockBytes);
    const frames = Math.min(present, data.statedFrames || present);
    return {
      ...described,
      expectedFrames: frames,
      hasExactLength: frames < present,
      blocks: () => readAdpcm(bytes, coding.blocks, { ...data, frames }),
    };
  }
  const frames = Math.floor(data.dataBytes / (coding.samples.bytes * channels));
  return {
    ...described,
    isFloat: coding.samples.kind === 'float',
    expectedFrames: frames,
    hasExactLength: true,
    blocks: () => readSamples(bytes, coding.samples, { dataAt: data.dataAt, frames, channels }),
  };
}

function readHeader(bytes: ByteWindow): Data {
  let format: Format | undefined;
  let longDataBytes: number | undefined;
  let statedFrames: number | undefined;
  for (let at = 12; at + 8 <= bytes.sizeBytes;) {
    const header = bytes.view(at, 8);
    const id = header.toString('latin1', 0, 4);
    const size = header.readUInt32LE(4);
    const left = bytes.sizeBytes - at - 8;
    // RF64 stores its 64-bit sizes here.
    if (id === 'ds64' && size >= 24 && left >= 24)
      longDataBytes = Number(bytes.read(at + 16, 8).readBigUInt64LE());
    if (id === 'fact' && size >= 4 && left >= 4) statedFrames = bytes.read(at + 8, 4).readUInt32LE();
    if (id === 'data') {
      if (!format) throw unreadable('the data chunk comes before the format chunk');
      const claimed = size === 0xffffffff ? (longDataBytes ?? size) : size;
      return { format, dataAt: at + 8, dataBytes: presentBytes(claimed, left), statedFrames };
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
  assertShape(channels, sampleRateHz);
  const described = { channels, sampleRateHz, bitDepth };
  if (tag === MS_ADPCM) return { ...described, coding: { blocks: microsoftAdpcm(blockBytes, channels) } };
  if (tag === IMA_ADPCM) return { ...described, coding: { blocks: imaAdpcm(blockBytes, channels) } };
  if (tag === OGG_VORBIS) return { ...described, coding: 'ogg' };
  const samples = encodingOf(tag, bitDepth);
  if (!samples) throw unreadable(`this kind of WAV (codec ${tag}, ${bitDepth} bits) is not supported`);
  if (blockBytes !== samples.bytes * channels) throw unreadable('the header contradicts itself');
  return { ...described, coding: { samples } };
}

function encodingOf(tag: number, bitDepth: number): SampleEncoding | undefined {
  const bytes = Math.ceil(bitDepth / 8);
  const encoding = (kind: SampleEncoding['kind']) => ({ kind, bytes, isBigEndian: false });
  if (tag === PCM && bytes === 1) return encoding('unsigned');
  if (tag === PCM && bytes >= 2 && bytes <= 4) return encoding('integer');
  if (tag === FLOAT && (bitDepth === 32 || bitDepth === 64)) return encoding('float');
  if (tag === MU_LAW && bitDepth === 8) return encoding('mu-law');
  if (tag === A_LAW && bitDepth === 8) return encoding('A-law');
  return undefined;
}
