import { loudnessLufs } from './filters.js';
import { RATE, type Stereo } from './stereo.js';

const CEILING = 0.875; // −1.16 dBFS, so that a lossy preview also stays below full scale.
const KNEE = 0.6;

/** Masters a sound to −14 LUFS if its peaks allow it, so that samples are equally loud and never clip. */
export function master(sound: Stereo, targetLufs = -14): void {
  centre(sound);
  const peak = peakOf(sound);
  if (peak === 0) return;
  const wanted = 10 ** ((targetLufs - loudnessLufs(sound)) / 20);
  // At most 5 dB into the soft ceiling. Beyond that, transients blur.
  const gain = Math.min(wanted, (CEILING * 1.78) / peak);
  for (const channel of [sound.left, sound.right])
    for (let i = 0; i < channel.length; i++) channel[i] = ceiling((channel[i] as number) * gain);
}

function ceiling(value: number): number {
  const size = Math.abs(value);
  if (size <= KNEE) return value;
  return Math.sign(value) * (KNEE + (CEILING - KNEE) * Math.tanh((size - KNEE) / (CEILING - KNEE)));
}

export function peakOf(sound: Stereo): number {
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
export function trim(sound: Stereo, fadeSeconds = 0.03): Stereo {
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
