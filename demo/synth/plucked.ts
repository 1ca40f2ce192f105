import { filterMono } from './filters.js';
import { place, RATE } from './stereo.js';
import { span, type Voice } from './voice.js';

/** A string: a burst of noise in a delay line that loses high frequencies on each pass. */
interface StringSettings {
  /** Seconds until a note of middle pitch is 60 dB down. */
  ring: number;
  /** 0 dull … 1 bright. */
  brightness: number;
  /** The point of the string where it is plucked, 0…0.5. */
  pluckAt: number;
  releaseSeconds?: number;
  /** Resonances of the body. */
  body?: Array<[hertz: number, q: number, gain: number]>;
  lowpassHz?: number;
  width?: number;
  gain?: number;
}

function plucked(settings: StringSettings): Voice {
  return (out, note) => {
    const release = settings.releaseSeconds ?? 0.12;
    const frames = span(out, note, release * 3);
    const period = RATE / note.frequencyHz;
    // The delay of one period has three parts: whole frames in the delay line, a fraction from interpolation, and
    // `blend` from averaging.
    const blend = 0.5 * (1 - settings.brightness * (0.55 + 0.45 * note.velocity));
    const length = Math.floor(period - blend - 0.02);
    const fraction = period - blend - length;
    const line = new Float32Array(length + 2);
    const comb = Math.max(1, Math.round(length * settings.pluckAt));
    let dull = 0;
    const softness = 0.25 + 0.55 * note.velocity;
    const burst = Float32Array.from({ length }, () => (dull += (note.random() * 2 - 1 - dull) * softness));
    for (let i = 0; i < length; i++)
      line[i] = (burst[i] as number) - (burst[(i + length - comb) % length] as number) * 0.9;
    const ring = settings.ring * Math.min(1.6, (220 / note.frequencyHz) ** 0.4);
    const loss = 10 ** (-3 / (note.frequencyHz * ring));
    const sound = new Float32Array(frames);
    const size = line.length;
    let write = length % size;
    let before = 0;
    let fade = 1;
    const fadePerFrame = Math.exp(-1 / (release * RATE));
    const released = Math.round(note.seconds * RATE);
    for (let i = 0; i < frames; i++) {
      const read = (write - length + size) % size;
      const a = line[read] as number;
      const b = line[(read + size - 1) % size] as number;
      const value = a + (b - a) * fraction;
      const averaged = (value * (1 - blend) + before * blend) * loss;
      before = value;
      line[write] = averaged;
      write = write + 1 === size ? 0 : write + 1;
      if (i > released) fade *= fadePerFrame;
      sound[i] = averaged * fade;
    }
    if (settings.lowpassHz) filterMono(sound, 'low', settings.lowpassHz * (0.6 + 0.6 * note.velocity));
    for (const [hertz, q, gain] of settings.body ?? []) {
      const resonance = filterMono(sound.slice(), 'band', hertz, q);
      for (let i = 0; i < frames; i++) (sound[i] as number) += (resonance[i] as number) * gain;
    }
    const pan = (note.random() - 0.5) * (settings.width ?? 0.3);
    place(out, sound, note.at, (settings.gain ?? 1) * (0.3 + 0.7 * note.velocity) * 0.9, pan);
  };
}

// A table: a row is a voice.
// oxfmt-ignore
export const STRINGS = {
  nylon: plucked({ ring: 2.6, brightness: 0.55, pluckAt: 0.22, body: [[105, 2.2, 0.5], [220, 2.5, 0.35]], lowpassHz: 5_200, releaseSeconds: 0.25, gain: 0.9 }),
  electricGuitar: plucked({ ring: 3.6, brightness: 0.8, pluckAt: 0.13, body: [[420, 1, 0.3]], lowpassHz: 4_200, releaseSeconds: 0.16, gain: 0.8 }),
  mutedGuitar: plucked({ ring: 0.55, brightness: 0.6, pluckAt: 0.1, lowpassHz: 3_600, releaseSeconds: 0.04, gain: 1 }),
  uprightBass: plucked({ ring: 1.9, brightness: 0.3, pluckAt: 0.3, body: [[98, 1.6, 0.6], [190, 2, 0.3]], lowpassHz: 1_400, releaseSeconds: 0.1, width: 0, gain: 1.3 }),
  electricBass: plucked({ ring: 3.2, brightness: 0.62, pluckAt: 0.16, body: [[80, 1.2, 0.4]], lowpassHz: 2_400, releaseSeconds: 0.06, width: 0, gain: 1.2 }),
  harp: plucked({ ring: 4, brightness: 0.75, pluckAt: 0.42, body: [[180, 1.5, 0.3]], lowpassHz: 6_500, releaseSeconds: 1.2, width: 0.9, gain: 0.8 }),
  clavinet: plucked({ ring: 1.5, brightness: 0.95, pluckAt: 0.06, body: [[1_300, 1.2, 0.5]], lowpassHz: 6_000, releaseSeconds: 0.03, gain: 0.75 }),
} as const;
