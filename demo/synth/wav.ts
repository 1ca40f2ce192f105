import { RATE, type Stereo } from './stereo.js';

/** A RIFF/WAVE file of 16 or 24 bits; one channel when both are equal in purpose (`mono`). */
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
  const full = 2 ** (options.bits - 1) - 1;
  let at = 44;
  for (let i = 0; i < frames; i++) {
    const left = sound.left[i] as number;
    const right = sound.right[i] as number;
    for (let channel = 0; channel < channels; channel++) {
      const value = Math.round((channels === 1 ? (left + right) / 2 : channel === 0 ? left : right) * full);
      bytes[at++] = value & 0xff;
      bytes[at++] = (value >> 8) & 0xff;
      if (width === 3) bytes[at++] = (value >> 16) & 0xff;
    }
  }
  return bytes;
}
