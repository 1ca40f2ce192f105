import { loudnessLufs } from './filters.js';
import { middle, RATE, type Stereo } from './stereo.js';

const CEILING = 0.875; // −1.16 dBFS, so that a lossy preview also stays below full scale.
const KNEE = 0.6;

/** Masters a sound to a loudness if its peaks allow it, so that samples are equally loud and never clip. */
export function master(sound: Stereo, targetLufs: number): void {
  centre(sound);
  const peak = peakOf(sound);
  if (peak === 0) return;
  const wanted = 10 ** ((targetLufs - loudnessLufs(sound)) / 20);
  // Raises peaks at most 5 dB into the soft limiter, because more would blur transients.
  const gain = Math.min(wanted, (CEILING * 1.78) / peak);
  for (const channel of [sound.left, sound.right])
    for (let i = 0; i < channel.length; i++) channel[i] = ceiling((channel[i] as number) * gain);
}

function ceiling(value: number): number {
  const size = Math.abs(value);
  if (size <= KNEE) return value;
  return Math.sign(value) * (KNEE + (CEILING - KNEE) * Math.tanh((size - KNEE) / (CEILING - KNEE)));
}

function peakOf(sound: Stereo): number {
  let peak = 0;
  for (const channel of [sound.left, sound.right])
    for (let i = 0; i < channel.length; i++) peak = Math.max(peak, Math.abs(channel[i] as number));
  return peak;
}

/** Removes the constant offset, which would be heard as a click at every start. */
function centre(sound: Stereo): void {
  for (const channel of [sound.left, sound.right]) {
    let sum = 0;
    for (let i = 0; i < channel.length; i++) sum += channel[i] as number;
    const offset = sum / channel.length;
    for (let i = 0; i < channel.length; i++) (channel[i] as number) -= offset;
  }
}

/** Trims a sound that does not loop: cuts the silence and fades the end. */
export function trim(sound: Stereo, fadeSeconds: number): Stereo {
  const floor = peakOf(sound) * 0.0012;
  let end = sound.left.length;
  while (
    end > RATE / 10 &&
    Math.abs(sound.left[end - 1] as number) < floor &&
    Math.abs(sound.right[end - 1] as number) < floor
  )
    end--;
  const cut = { left: sound.left.slice(0, end), right: sound.right.slice(0, end) };
  const fade = Math.min(end, Math.round(fadeSeconds * RATE));
  for (const channel of [cut.left, cut.right])
    for (let i = 0; i < fade; i++) (channel[end - 1 - i] as number) *= i / fade;
  return cut;
}

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

/** A fast Math.round for values of at most 25 bits: OFFSET makes a value positive, so that `| 0` rounds it down. */
const toNearest = (value: number): number => ((value + (OFFSET + 0.5)) | 0) - OFFSET;
