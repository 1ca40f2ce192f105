import { middle, RATE, type Stereo } from './stereo.js';

/** Returns a RIFF/WAVE file of 16 or 24 bits. Needs a little-endian machine. `mono` mixes both sides. */
export function wavBytes(sound: Stereo, options: { bits: 16 | 24; mono?: boolean }): Uint8Array {
  const channels = options.mono ? 1 : 2;
  const width = options.bits / 8;
  const frames = sound.left.length;
  const bytes = new Uint8Array(44 + frames * channels * width);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string): void =>
    bytes.set(
      [...value].map((c) => c.charCodeAt(0)),
      at,
    );
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE * channels * width, true);
  view.setUint16(32, channels * width, true);
  view.setUint16(34, options.bits, true);
  text(36, 'data');
  view.setUint32(40, frames * channels * width, true);
  const sides = options.mono ? [middle(sound)] : [sound.left, sound.right];
  sides.forEach((side, channel) => {
    if (width === 2) write16(new Int16Array(bytes.buffer, 44), side, channel, channels);
    else write24(bytes.subarray(44), side, channel, channels);
  });
  return bytes;
}

function write16(values: Int16Array, side: Float32Array, channel: number, channels: number): void {
  for (let i = 0, at = channel; i < side.length; i++, at += channels)
    values[at] = toNearest((side[i] as number) * 32_767);
}

function write24(bytes: Uint8Array, side: Float32Array, channel: number, channels: number): void {
  for (let i = 0, at = 3 * channel; i < side.length; i++, at += 3 * channels) {
    const value = toNearest((side[i] as number) * 8_388_607);
    bytes[at] = value;
    bytes[at + 1] = value >> 8;
    bytes[at + 2] = value >> 16;
  }
}

const OFFSET = 2 ** 24;

/** Math.round for values of at most 25 bits: a positive number is truncated in one instruction. */
const toNearest = (value: number): number => ((value + (OFFSET + 0.5)) | 0) - OFFSET;
