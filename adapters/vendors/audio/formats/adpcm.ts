import type { ByteWindow } from '../byte-window.js';
import { type PcmSource, unreadable } from '../pcm.js';

/** ADPCM stores blocks of one size, which decode independently of each other. */
export interface AdpcmCoding {
  channels: number;
  blockBytes: number;
  blockFrames: number;
  /** Returns how many frames an incomplete last block holds. */
  framesIn(bytes: number): number;
  /** Decodes a block into one array per channel. A damaged block yields noise, never an error. */
  decode(block: Buffer, out: readonly Int16Array[], frames: number): void;
}

const READ_BYTES = 64 * 1024;

/** Yields the frames of all blocks. Reads a few blocks at a time, so memory does not depend on the header. */
export async function* readAdpcm(
  bytes: ByteWindow,
  coding: AdpcmCoding,
  { dataAt, dataBytes, frames }: { dataAt: number; dataBytes: number; frames: number },
): ReturnType<PcmSource['blocks']> {
  const blocksAtOnce = Math.max(1, Math.floor(READ_BYTES / coding.blockBytes));
  const decoded = Array.from({ length: coding.channels }, () => new Int16Array(coding.blockFrames));
  let left = frames;
  for (let at = 0; at < dataBytes && left > 0; at += blocksAtOnce * coding.blockBytes) {
    const raw = bytes.read(dataAt + at, Math.min(blocksAtOnce * coding.blockBytes, dataBytes - at));
    const room = Math.min(left, blocksAtOnce * coding.blockFrames);
    const out = decoded.map(() => new Float32Array(room));
    let filled = 0;
    for (let from = 0; from < raw.length && filled < room; from += coding.blockBytes) {
      const block = raw.subarray(from, from + coding.blockBytes);
      const count = Math.min(coding.framesIn(block.length), room - filled);
      coding.decode(block, decoded, count);
      for (const [channel, samples] of decoded.entries())
        for (let frame = 0; frame < count; frame++)
          (out[channel] as Float32Array)[filled + frame] = (samples[frame] as number) / 32_768;
      filled += count;
    }
    left -= filled;
    if (filled > 0) yield out.map((samples) => samples.subarray(0, filled));
  }
}

const MS_HEAD_BYTES = 7;
const MS_COEFFICIENTS = [
  [256, 0],
  [512, -256],
  [0, 0],
  [192, 64],
  [240, 0],
  [460, -208],
  [392, -232],
] as const;
const MS_ADAPTATION = [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];

/** Returns Microsoft's ADPCM with the seven standard pairs of coefficients. @throws AudioRefused */
export function microsoftAdpcm(blockBytes: number, channels: number): AdpcmCoding {
  assertBlock(blockBytes, channels, MS_HEAD_BYTES);
  const framesIn = (bytes: number) =>
    bytes < MS_HEAD_BYTES * channels
      ? 0
      : 2 + Math.floor(((bytes - MS_HEAD_BYTES * channels) * 2) / channels);
  return {
    channels,
    blockBytes,
    blockFrames: framesIn(blockBytes),
    framesIn,
    decode(block, out, frames) {
      const states = out.map((samples, channel) => {
        const [first, second] = MS_COEFFICIENTS[block.readUInt8(channel) % MS_COEFFICIENTS.length] as [
          number,
          number,
        ];
        const word = (index: number) => block.readInt16LE(channels * (1 + 2 * index) + 2 * channel);
        const state = { first, second, delta: word(0), last: word(1), before: word(2) };
        samples[0] = state.before;
        samples[1] = state.last;
        return state;
      });
      for (let nibble = 0; nibble < (frames - 2) * channels; nibble++) {
        const byte = block[MS_HEAD_BYTES * channels + (nibble >> 1)] as number;
        const code = nibble % 2 === 0 ? byte >> 4 : byte & 15;
        const channel = nibble % channels;
        const state = states[channel] as (typeof states)[number];
        const signed = code > 7 ? code - 16 : code;
        const predicted = (state.last * state.first + state.before * state.second) >> 8;
        const value = clamped(predicted + signed * state.delta);
        state.before = state.last;
        state.last = value;
        // The upper limit keeps the delta of a damaged block in 32 bits.
        const adapted = ((MS_ADAPTATION[code] as number) * state.delta) >> 8;
        state.delta = Math.min(Math.max(16, adapted), 1 << 20);
        (out[channel] as Int16Array)[2 + Math.floor(nibble / channels)] = value;
      }
    },
  };
}

const IMA_HEAD_BYTES = 4;
const IMA_INDEX = [-1, -1, -1, -1, 2, 4, 6, 8];
/** Each step is about 1.1 times the one before; the standard lists their rounded values. */
const IMA_STEPS = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
  107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724,
  796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026,
  4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500,
  20350, 22385, 24623, 27086, 29794, 32767,
];

class ImaState {
  constructor(
    private value: number,
    private index: number,
  ) {
    this.index = Math.min(Math.max(index, 0), IMA_STEPS.length - 1);
  }

  next(code: number): number {
    const step = IMA_STEPS[this.index] as number;
    const change =
      (step >> 3) + (code & 4 ? step : 0) + (code & 2 ? step >> 1 : 0) + (code & 1 ? step >> 2 : 0);
    this.value = clamped(this.value + (code & 8 ? -change : change));
    const index = this.index + (IMA_INDEX[code & 7] as number);
    this.index = Math.min(Math.max(index, 0), IMA_STEPS.length - 1);
    return this.value;
  }
}

/** Returns the IMA ADPCM of WAV files, which stores 8 samples of a channel in 4 bytes. @throws AudioRefused */
export function imaAdpcm(blockBytes: number, channels: number): AdpcmCoding {
  assertBlock(blockBytes, channels, IMA_HEAD_BYTES);
  const framesIn = (bytes: number) =>
    bytes < IMA_HEAD_BYTES * channels ? 0 : 1 + 8 * Math.floor((bytes / channels - IMA_HEAD_BYTES) / 4);
  return {
    channels,
    blockBytes,
    blockFrames: framesIn(blockBytes),
    framesIn,
    decode(block, out, frames) {
      for (const [channel, samples] of out.entries()) {
        const head = channel * IMA_HEAD_BYTES;
        const first = block.readInt16LE(head);
        const state = new ImaState(first, block.readUInt8(head + 2));
        samples[0] = first;
        for (let frame = 1; frame < frames; frame++) {
          const group = (frame - 1) >> 3;
          const inGroup = (frame - 1) & 7;
          const byte = block[
            IMA_HEAD_BYTES * (channels + group * channels + channel) + (inGroup >> 1)
          ] as number;
          samples[frame] = state.next(inGroup % 2 === 0 ? byte & 15 : byte >> 4);
        }
      }
    },
  };
}

const APPLE_BLOCK_BYTES = 34;

/** Returns the `ima4` of AIFF-C: per channel 2 bytes of state and 32 bytes with 64 samples. */
export function appleAdpcm(channels: number): AdpcmCoding {
  const blockBytes = APPLE_BLOCK_BYTES * channels;
  return {
    channels,
    blockBytes,
    blockFrames: 64,
    framesIn: (bytes) => (bytes < blockBytes ? 0 : 64),
    decode(block, out, frames) {
      for (const [channel, samples] of out.entries()) {
        const head = channel * APPLE_BLOCK_BYTES;
        const word = block.readUInt16BE(head);
        const state = new ImaState(((word & 0xff80) << 16) >> 16, word & 0x7f);
        for (let frame = 0; frame < frames; frame++) {
          const byte = block[head + 2 + (frame >> 1)] as number;
          samples[frame] = state.next(frame % 2 === 0 ? byte & 15 : byte >> 4);
        }
      }
    },
  };
}

function assertBlock(blockBytes: number, channels: number, headBytes: number): void {
  // WAV defines both codings for one and two channels.
  if (channels > 2) throw unreadable('the number of channels is not supported');
  if (blockBytes <= headBytes * channels) throw unreadable('the header contradicts itself');
}

const clamped = (value: number): number => Math.max(-32_768, Math.min(32_767, value));
