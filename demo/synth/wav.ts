import { RATE, type Stereo } from './stereo.js';

/** A RIFF/WAVE file of 16 or 24 bits, on a little-endian machine; `mono` mixes both sides into one channel. */
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
  const mono = options.mono ? middle(sound) : undefined;
  const left = mono ?? sound.left;
  const right = sound.right;
  if (width === 2) {
    const values = new Int16Array(bytes.buffer, 44);
    if (mono) for (let i = 0; i < frames; i++) values[i] = Math.round((left[i] as number) * 32_767);
    else
      for (let i = 0; i < frames; i++) {
        values[2 * i] = Math.round((left[i] as number) * 32_767);
        values[2 * i + 1] = Math.round((right[i] as number) * 32_767);
      }
    return bytes;
  }
  for (let i = 0, at = 44; i < frames; i++) {
    let value = Math.round((left[i] as number) * 8_388_607);
    bytes[at++] = value;
    bytes[at++] = value >> 8;
    bytes[at++] = value >> 16;
    if (mono) continue;
    value = Math.round((right[i] as number) * 8_388_607);
    bytes[at++] = value;
    bytes[at++] = value >> 8;
    bytes[at++] = value >> 16;
  }
  return bytes;
}

const middle = ({ left, right }: Stereo): Float32Array =>
  left.map((value, i) => (value + (right[i] as number)) / 2);
