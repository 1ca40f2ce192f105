import type { Random } from '../../domain/shared/seeded-random.js';
import { StateVariable, filterMono } from './filters.js';
import { RATE, silence, type Stereo } from './stereo.js';
import { span, type Voice } from './voice.js';
import { frames, hiss, shape, sine } from './waves.js';

/** The long tail of a drum machine's kick: tuned, driven, and sliding down to its note. */
export function sub808(settings: { drive: number; slideFromSemitones?: number; ring: number }): Voice {
  return (out, note) => {
    const length = span(out, note, 0.06);
    let phase = 0;
    for (let i = 0; i < length; i++) {
      const t = i / RATE;
      const punch = 26 * Math.exp(-t * 55) * note.velocity;
      const slide = (settings.slideFromSemitones ?? 0) * Math.exp(-t * 16);
      phase += (note.frequencyHz * 2 ** ((slide + punch * 0.6) / 12)) / RATE;
      const off = t > note.seconds ? Math.exp(-(t - note.seconds) * 90) : 1;
      const level = Math.min(1, t * 500) * Math.exp(-t / settings.ring) * off;
      const value = Math.tanh(sine(phase % 1) * level * settings.drive) * 0.8 * (0.5 + 0.5 * note.velocity);
      (out.left[note.at + i] as number) += value;
      (out.right[note.at + i] as number) += value;
    }
  };
}

/** Returns `length` frames of continuous sound. */
type Texture = (length: number, random: Random, rootHz: number) => Stereo;

const both = (length: number, make: (side: number) => Float32Array): Stereo => {
  const sound = silence(length);
  sound.left.set(make(0).subarray(0, length));
  sound.right.set(make(1).subarray(0, length));
  return sound;
};

/** Noise that falls by about 3 dB per octave. */
function pink(length: number, random: Random): Float32Array {
  let [a, b, c] = [0, 0, 0];
  return Float32Array.from({ length }, () => {
    const white = random() * 2 - 1;
    a = 0.99765 * a + white * 0.099046;
    b = 0.963 * b + white * 0.2965164;
    c = 0.57 * c + white * 1.0526913;
    return (a + b + c + white * 0.1848) * 0.25;
  });
}

/** Adds `perSecond` short ticks to a channel, each a damped resonance. */
function ticks(
  channel: Float32Array,
  random: Random,
  settings: { perSecond: number; lowHz: number; highHz: number; ring: number; level: number },
): void {
  const count = Math.round((channel.length / RATE) * settings.perSecond);
  for (let tick = 0; tick < count; tick++) {
    const at = Math.floor(random() * channel.length);
    const hertz = settings.lowHz * (settings.highHz / settings.lowHz) ** random();
    const level = settings.level * random() ** 3 * (random() < 0.5 ? -1 : 1);
    const length = Math.min(channel.length - at, frames(settings.ring * 3));
    for (let i = 0; i < length; i++)
      (channel[at + i] as number) +=
        sine((i / RATE) * hertz + 0.25) * level * Math.exp(-i / RATE / settings.ring);
  }
}

const vinyl: Texture = (length, random) =>
  both(length, () => {
    const bed = filterMono(filterMono(pink(length, random), 'high', 500), 'low', 7_000);
    shape(bed, (t) => 0.05 * (1 + 0.4 * sine(t * 0.555)));
    ticks(bed, random, { perSecond: 22, lowHz: 1_500, highHz: 6_000, ring: 0.0006, level: 0.7 });
    ticks(bed, random, { perSecond: 2.2, lowHz: 400, highHz: 1_200, ring: 0.0025, level: 1 });
    return bed;
  });

const rain: Texture = (length, random) =>
  both(length, () => {
    const bed = filterMono(filterMono(hiss(length, random), 'high', 900), 'low', 6_500);
    shape(bed, (t) => 0.12 * (1 + 0.25 * sine(t * 0.21)));
    ticks(bed, random, { perSecond: 110, lowHz: 1_800, highHz: 7_000, ring: 0.0012, level: 0.5 });
    ticks(bed, random, { perSecond: 9, lowHz: 600, highHz: 1_400, ring: 0.007, level: 0.7 });
    return bed;
  });

const room: Texture = (length, random) =>
  both(length, (side) => {
    const bed = filterMono(pink(length, random), 'low', 900);
    for (let i = 0; i < length; i++)
      (bed[i] as number) +=
        0.05 * sine((i / RATE) * 50 + side * 0.1) +
        0.03 * sine((i / RATE) * 100) +
        0.012 * sine((i / RATE) * 150);
    ticks(bed, random, { perSecond: 1.1, lowHz: 300, highHz: 2_400, ring: 0.012, level: 0.25 });
    return bed;
  });

const tape: Texture = (length, random) =>
  both(length, () => {
    const bed = filterMono(filterMono(hiss(length, random), 'high', 2_500), 'low', 11_000);
    return shape(bed, (t) => 0.2 * (1 + 0.12 * sine(t * 3.1)));
  });

/** Noise through a slowly swept resonant filter: surf, wind, a distant train. */
const wind: Texture = (length, random, rootHz) =>
  both(length, (side) => {
    const bed = pink(length, random);
    const filter = new StateVariable();
    for (let i = 0; i < length; i++) {
      if (i % 64 === 0) {
        const t = i / RATE;
        const swell = sine(t * 0.11 + side * 0.12) * 0.6 + sine(t * 0.273) * 0.4;
        filter.set(rootHz * 3 * 2 ** (swell * 1.1), 2.8 + swell);
      }
      filter.low(bed[i] as number);
      bed[i] = filter.band * 1.3;
    }
    return bed;
  });

/** Partials of one root. Each partial is two slightly detuned sines, whose levels rise and fall slowly. */
function drone(ratios: Array<[ratio: number, level: number]>, grit: number): Texture {
  return (length, random, rootHz) => {
    const out = silence(length);
    for (const [ratio, level] of ratios)
      for (const detune of [-0.0011, 0.0013]) {
        const drift = 0.05 + random() * 0.12;
        const start = random();
        const side = random();
        const hertz = rootHz * ratio * (1 + detune * (0.5 + random()));
        for (let i = 0; i < length; i++) {
          const t = i / RATE;
          const swell = level * (0.62 + 0.38 * sine(t * drift + start));
          const value = sine((t * hertz + start) % 1) * swell;
          (out.left[i] as number) += value * (1 - side);
          (out.right[i] as number) += value * side;
        }
      }
    if (grit > 0)
      for (const channel of [out.left, out.right]) {
        const dirt = filterMono(pink(length, random), 'band', rootHz * 6, 3);
        for (let i = 0; i < length; i++)
          channel[i] = Math.tanh((channel[i] as number) * (1 + grit * 2)) * 0.7 + (dirt[i] as number) * grit;
      }
    return out;
  };
}

// A table: each row is a drone, and each pair is a partial: its frequency as a multiple of the root, and its level.
// oxfmt-ignore
const DRONES = {
  bars: drone([[1, 0.5], [1.498, 0.3], [2.756, 0.14], [4.07, 0.1], [5.404, 0.07], [8.93, 0.03]], 0.5),
  low: drone([[0.5, 0.5], [1, 0.5], [1.5, 0.2], [2, 0.18], [3, 0.07], [4, 0.04]], 0),
  bowed: drone([[1, 0.5], [1.5, 0.32], [2, 0.25], [2.5, 0.08], [3, 0.16], [4, 0.1], [6, 0.05]], 0.22),
};

/** Groaning metal: inharmonic bars, each with its own slow swell. */
const crane: Texture = (length, random, rootHz) => {
  const out = DRONES.bars(length, random, rootHz);
  for (const channel of [out.left, out.right])
    ticks(channel, random, { perSecond: 0.7, lowHz: 900, highHz: 2_300, ring: 0.09, level: 0.5 });
  return out;
};

/** Noise and a tone that rise until the end. */
const riser: Texture = (length, random, rootHz) =>
  both(length, (side) => {
    const bed = hiss(length, random);
    const filter = new StateVariable();
    let phase = 0;
    for (let i = 0; i < length; i++) {
      const share = i / length;
      if (i % 64 === 0) filter.set(300 * 2 ** (share * 5), 1.6);
      filter.low(bed[i] as number);
      phase += (rootHz * 2 ** (share * 2 + side * 0.003)) / RATE;
      bed[i] = (filter.band * 0.6 + sine(phase % 1) * 0.22) * share ** 1.8;
    }
    return bed;
  });

const impact: Texture = (length, random, rootHz) =>
  both(length, () => {
    const bed = filterMono(pink(length, random), 'low', 2_600);
    let phase = 0;
    for (let i = 0; i < length; i++) {
      const t = i / RATE;
      phase += (rootHz * 0.5 * (1 + 2.5 * Math.exp(-t * 9))) / RATE;
      bed[i] = (bed[i] as number) * 1.6 * Math.exp(-t * 3.4) + sine(phase % 1) * 0.8 * Math.exp(-t * 1.5);
    }
    return bed;
  });

/** A faulty machine: short grains of tone, noise and silence on a grid. */
const broken: Texture = (length, random, rootHz) =>
  both(length, () => {
    const bed = new Float32Array(length);
    const grain = Math.round(RATE * 0.0625);
    for (let at = 0; at < length; at += grain) {
      const kind = random();
      const hertz = rootHz * ([1, 1.5, 2, 3, 4.5, 6][Math.floor(random() * 6)] as number);
      const hold = 1 + Math.floor(random() * 24);
      const level = 0.25 + random() * 0.5;
      if (kind < 0.4) continue;
      for (let i = 0; i < grain && at + i < length; i++) {
        const step = i - (i % hold);
        const tone = kind < 0.75 ? Math.sign(sine(((step / RATE) * hertz) % 1)) : random() * 2 - 1;
        bed[at + i] = tone * level * (1 - i / grain) ** (kind * 3);
      }
    }
    return filterMono(bed, 'low', 7_500);
  });

export const TEXTURES = {
  vinyl,
  rain,
  room,
  tape,
  wind,
  crane,
  riser,
  impact,
  broken,
  lowDrone: DRONES.low,
  bowedDrone: DRONES.bowed,
} satisfies Record<string, Texture>;
export type TextureName = keyof typeof TEXTURES;
