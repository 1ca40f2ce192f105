/** Two channels of samples in −1…1 at 44.1 kHz. */
export interface Stereo {
  left: Float32Array;
  right: Float32Array;
}

export const RATE = 44_100;

export const silence = (frames: number): Stereo => ({
  left: new Float32Array(frames),
  right: new Float32Array(frames),
});

/** Mixes both sides into one channel. */
export function middle({ left, right }: Stereo): Float32Array {
  const mono = new Float32Array(left.length);
  for (let i = 0; i < mono.length; i++) mono[i] = ((left[i] as number) + (right[i] as number)) / 2;
  return mono;
}

/** Adds a mono sound, panned −1…1 with constant power. Drops what reaches beyond the end. */
export function place(out: Stereo, sound: Float32Array, atFrame: number, gain: number, pan = 0): void {
  const left = gain * Math.cos(((pan + 1) * Math.PI) / 4) * Math.SQRT2;
  const right = gain * Math.sin(((pan + 1) * Math.PI) / 4) * Math.SQRT2;
  const from = Math.max(0, -atFrame);
  const to = Math.min(sound.length, out.left.length - atFrame);
  for (let i = from; i < to; i++) {
    const value = sound[i] as number;
    (out.left[atFrame + i] as number) += value * left;
    (out.right[atFrame + i] as number) += value * right;
  }
}

export function add(out: Stereo, other: Stereo, gain = 1): void {
  const frames = Math.min(out.left.length, other.left.length);
  for (let i = 0; i < frames; i++) {
    (out.left[i] as number) += (other.left[i] as number) * gain;
    (out.right[i] as number) += (other.right[i] as number) * gain;
  }
}

/**
 * Adds the tail after the loop's end to its beginning, as it would sound in the second pass. The loop then repeats
 * without a seam.
 */
export function fold(sound: Stereo, frames: number): Stereo {
  const wrap = (channel: Float32Array): Float32Array => {
    const loop = channel.slice(0, frames);
    for (let i = frames; i < channel.length; i++) (loop[i % frames] as number) += channel[i] as number;
    return loop;
  };
  return { left: wrap(sound.left), right: wrap(sound.right) };
}
