import { RATE, silence, type Stereo } from './stereo.js';
import { sine } from './waves.js';

/** Reverb and echo lengthen the tail, so they run before `fold` adds the tail to the loop's start. Others run after. */

/** Lengths of the delay lines, in frames at half the sample rate, which halves the cost and sounds the same. */
const LINES = [709, 821, 937, 1_031, 1_151, 1_277, 1_409, 1_553];
/** Where each delay line starts in the buffer that all lines share. */
const STARTS = LINES.map((_, line) => LINES.slice(0, line).reduce((sum, length) => sum + length, 0));
const TOTAL = LINES.reduce((sum, length) => sum + length, 0);
const HALF_RATE = RATE / 2;
/** Frequencies above this decay sooner. */
const DAMP_HZ = 4_500;

/**
 * Returns the reverb of a room, without the dry sound. Eight delay lines feed each other.
 * @param seconds until the tail is 60 dB down
 */
export function reverb(dry: Stereo, seconds: number): Stereo {
  const frames = dry.left.length;
  const wet = silence(frames);
  const delay = new Float32Array(TOTAL);
  const at = Int32Array.from(STARTS);
  const ends = Int32Array.from(STARTS, (start, line) => start + (LINES[line] as number));
  const lows = new Float64Array(8);
  const taps = new Float64Array(8);
  const gains = Float64Array.from(LINES, (length) => 10 ** ((-3 * length) / HALF_RATE / seconds));
  const damp = Math.exp((-2 * Math.PI * DAMP_HZ) / HALF_RATE);
  let [beforeLeft, beforeRight] = [0, 0];
  for (let i = 0; i + 1 < frames; i += 2) {
    let sum = 0;
    for (let line = 0; line < 8; line++) {
      const out = delay[at[line] as number] as number;
      const low = out + ((lows[line] as number) - out) * damp;
      lows[line] = low;
      const tap = low * (gains[line] as number);
      taps[line] = tap;
      sum += tap;
    }
    // Householder reflection: every line feeds all others, without gain or loss of energy.
    const shared = sum * 0.25;
    const inLeft = ((dry.left[i] as number) + (dry.left[i + 1] as number)) * 0.25 - shared;
    const inRight = ((dry.right[i] as number) + (dry.right[i + 1] as number)) * 0.25 - shared;
    for (let line = 0; line < 8; line++) {
      const place = at[line] as number;
      delay[place] = (taps[line] as number) + ((line & 1) === 0 ? inLeft : inRight);
      at[line] = place + 1 === ends[line] ? (STARTS[line] as number) : place + 1;
    }
    const left =
      ((taps[0] as number) - (taps[2] as number) + (taps[4] as number) - (taps[6] as number)) * 0.7;
    const right =
      ((taps[1] as number) - (taps[3] as number) + (taps[5] as number) - (taps[7] as number)) * 0.7;
    wet.left[i] = (beforeLeft + left) / 2;
    wet.left[i + 1] = left;
    wet.right[i] = (beforeRight + right) / 2;
    wet.right[i + 1] = right;
    beforeLeft = left;
    beforeRight = right;
  }
  return wet;
}

/** Returns echoes that alternate sides, each darker than the last, without the dry sound. */
export function echo(dry: Stereo, seconds: number): Stereo {
  const frames = dry.left.length;
  const wet = silence(frames);
  const lag = Math.round(seconds * RATE);
  let [lowLeft, lowRight] = [0, 0];
  for (let i = lag; i < frames; i++) {
    const left =
      ((dry.left[i - lag] as number) + (dry.right[i - lag] as number)) * 0.5 +
      (wet.right[i - lag] as number) * 0.42;
    const right = (wet.left[i - lag] as number) * 0.9;
    lowLeft += (left - lowLeft) * 0.35;
    lowRight += (right - lowRight) * 0.35;
    wet.left[i] = lowLeft;
    wet.right[i] = lowRight;
  }
  return wet;
}

/** Reads a loop through a delay that is modulated a whole number of times per loop, so that no seam is heard. */
function wobble(loop: Stereo, cycles: number, depthFrames: number, apart: number): Stereo {
  const frames = loop.left.length;
  const bend = (channel: Float32Array, offset: number): Float32Array => {
    const out = new Float32Array(frames);
    for (let i = 0; i < frames; i++) {
      const lag = depthFrames * (1 + sine((i / frames) * cycles + offset));
      const from = i - lag + frames * 2;
      const whole = Math.floor(from);
      const a = channel[whole % frames] as number;
      const b = channel[(whole + 1) % frames] as number;
      out[i] = a + (b - a) * (from - whole);
    }
    return out;
  };
  return { left: bend(loop.left, 0), right: bend(loop.right, apart) };
}

const cyclesAt = (loop: Stereo, hertz: number): number =>
  Math.max(1, Math.round((loop.left.length / RATE) * hertz));

/** Irregular tape speed. */
export const wow = (loop: Stereo, depthFrames: number): Stereo =>
  wobble(wobble(loop, cyclesAt(loop, 0.6), depthFrames, 0), cyclesAt(loop, 5.3), depthFrames * 0.06, 0.1);

/** Adds a second copy with varying pitch to each side. */
export function chorus(loop: Stereo, mix: number): Stereo {
  const bent = wobble(loop, cyclesAt(loop, 0.8), 190, 0.25);
  const frames = loop.left.length;
  for (let i = 0; i < frames; i++) {
    (bent.left[i] as number) = (loop.left[i] as number) * (1 - mix * 0.4) + (bent.left[i] as number) * mix;
    (bent.right[i] as number) = (loop.right[i] as number) * (1 - mix * 0.4) + (bent.right[i] as number) * mix;
  }
  return bent;
}

/** Plays a sound faster or slower, like a tape, which also shifts its pitch. */
export function atPitch({ left, right }: Stereo, semitones: number): Stereo {
  const ratio = 2 ** (semitones / 12);
  const played = (channel: Float32Array): Float32Array =>
    Float32Array.from({ length: Math.floor((channel.length - 1) / ratio) }, (_, i) => {
      const at = Math.floor(i * ratio);
      const share = i * ratio - at;
      return (channel[at] as number) * (1 - share) + (channel[at + 1] as number) * share;
    });
  return { left: played(left), right: played(right) };
}

/** Adds warmth: a soft curve adds odd harmonics and keeps the level of quiet passages. */
export function saturate(sound: Stereo, drive: number): void {
  for (const channel of [sound.left, sound.right])
    for (let i = 0; i < channel.length; i++) channel[i] = Math.tanh((channel[i] as number) * drive) / drive;
}

/** Imitates an old sampler: a lower sample rate and fewer bits. */
export function crush(sound: Stereo, hold: number, bits: number): void {
  const steps = 2 ** (bits - 1);
  for (const channel of [sound.left, sound.right])
    for (let i = 0; i < channel.length; i++)
      channel[i] =
        i % hold === 0 ? Math.round((channel[i] as number) * steps) / steps : (channel[i - 1] as number);
}

/** Lowers the volume on every beat, like a compressor keyed by the kick. */
export function pump(loop: Stereo, beatFrames: number, depth: number): void {
  for (const channel of [loop.left, loop.right])
    for (let i = 0; i < channel.length; i++) {
      const phase = (i % beatFrames) / beatFrames;
      (channel[i] as number) *= 1 - depth * Math.exp(-phase * 6) * Math.min(1, phase * 60 + 0.2);
    }
}
