import type { Instrument } from '../../domain/catalogue/vocabulary.js';
import type { Random } from '../../domain/shared/seeded-random.js';
import { filterMono } from './filters.js';
import { RATE } from './stereo.js';
import { frames, hiss, shape, sine } from './waves.js';

/** One stroke of a drum, mono, at about full scale. */
type Hit = (velocity: number, random: Random) => Float32Array;

const noise = (seconds: number, random: Random): Float32Array => hiss(frames(seconds), random);

const mix = (...sounds: Array<[Float32Array, number]>): Float32Array => {
  const out = new Float32Array(Math.max(...sounds.map(([sound]) => sound.length)));
  for (const [sound, gain] of sounds)
    for (let i = 0; i < sound.length; i++) (out[i] as number) += (sound[i] as number) * gain;
  return out;
};

/** A sine with falling pitch: the body of kicks, toms and 808s. */
function skin(settings: {
  startHz: number;
  endHz: number;
  fall: number;
  ring: number;
  drive?: number;
}): Float32Array {
  const sound = new Float32Array(frames(settings.ring * 2.2));
  let phase = 0;
  for (let i = 0; i < sound.length; i++) {
    const t = i / RATE;
    phase += (settings.endHz + (settings.startHz - settings.endHz) * Math.exp(-t / settings.fall)) / RATE;
    const value = sine(phase % 1) * Math.exp((-t / settings.ring) * 2.6) * Math.min(1, t * 900);
    sound[i] = settings.drive ? Math.tanh(value * settings.drive) / Math.tanh(settings.drive) : value;
  }
  const end = Math.min(sound.length, 600);
  for (let i = 0; i < end; i++) (sound[sound.length - 1 - i] as number) *= i / end;
  return sound;
}

const click = (random: Random, hertz: number, seconds = 0.008): Float32Array =>
  shape(filterMono(noise(seconds * 3, random), 'band', hertz, 0.9), (t) => Math.exp((-t / seconds) * 3));

const kick =
  (settings: Parameters<typeof skin>[0], knock: number, knockHz: number): Hit =>
  (velocity, random) =>
    mix(
      [skin({ ...settings, startHz: settings.startHz * (0.8 + 0.2 * velocity) }), 0.95],
      [click(random, knockHz), knock * velocity],
    );

const snare =
  (settings: {
    bodyHz: number;
    body: number;
    wires: number;
    ring: number;
    colourHz: number;
    highHz: number;
  }): Hit =>
  (velocity, random) => {
    const body = mix(
      [skin({ startHz: settings.bodyHz * 1.5, endHz: settings.bodyHz, fall: 0.012, ring: 0.16 }), 0.7],
      [skin({ startHz: settings.bodyHz * 2.2, endHz: settings.bodyHz * 1.68, fall: 0.01, ring: 0.1 }), 0.4],
    );
    const wires = filterMono(noise(settings.ring * 2.5, random), 'high', settings.highHz);
    const colour = filterMono(wires.slice(), 'band', settings.colourHz, 0.8);
    const tail = settings.ring * (0.6 + 0.4 * velocity);
    shape(wires, (t) => Math.exp((-t / tail) * 3.2));
    shape(colour, (t) => Math.exp((-t / tail) * 2.2));
    return mix(
      [body, settings.body],
      [wires, settings.wires * (0.4 + 0.5 * velocity)],
      [colour, settings.wires * 0.9],
      [click(random, 2_400, 0.003), 0.5 * velocity],
    );
  };

/** Six square waves with inharmonic pitches, as in old drum machines, with noise. */
function metal(seconds: number, highHz: number, random: Random): Float32Array {
  const tones = [263, 400, 421, 474, 587, 845].map((hertz) => hertz * 1.62);
  const sound = new Float32Array(frames(seconds));
  for (let i = 0; i < sound.length; i++) {
    let value = 0;
    for (const hertz of tones) value += ((i * hertz) / RATE) % 1 < 0.5 ? 0.13 : -0.13;
    sound[i] = value + (random() * 2 - 1) * 0.55;
  }
  return filterMono(filterMono(sound, 'high', highHz, 0.8), 'high', highHz * 0.7, 0.7);
}

const hat =
  (ring: number, highHz: number): Hit =>
  (velocity, random) =>
    shape(
      metal(ring * 2.4, highHz, random),
      (t) => Math.exp((-t / (ring * (0.7 + 0.5 * velocity))) * 3) * Math.min(1, t * 3_000),
    );

const shaker: Hit = (velocity, random) =>
  shape(
    filterMono(noise(0.11, random), 'high', 5_200),
    (t) => Math.min(1, t * (28 + 50 * velocity)) * Math.exp(-Math.max(0, t - 0.025) * 44),
  );

const brushSweep: Hit = (_, random) =>
  shape(
    filterMono(filterMono(noise(0.4, random), 'band', 3_100, 0.5), 'high', 900),
    (t) => Math.sin(Math.min(1, t / 0.36) * Math.PI) ** 1.4 * 0.8,
  );

const brushTap: Hit = (velocity, random) =>
  mix(
    [skin({ startHz: 300, endHz: 205, fall: 0.01, ring: 0.12 }), 0.35],
    [
      shape(filterMono(noise(0.22, random), 'band', 3_800, 0.5), (t) => Math.exp(-t * (26 - 10 * velocity))),
      1.5,
    ],
  );

const clap: Hit = (_, random) => {
  const burst = filterMono(noise(0.34, random), 'band', 1_450, 1.1);
  return shape(burst, (t) => {
    const hands = [0, 0.011, 0.021].reduce(
      (sum, start) => sum + (t >= start ? Math.exp(-(t - start) * 210) : 0),
      0,
    );
    return (hands + (t > 0.03 ? 0.75 * Math.exp(-(t - 0.03) * 19) : 0)) * 1.7;
  });
};

const rim: Hit = (velocity, random) =>
  mix(
    [skin({ startHz: 1_750, endHz: 1_690, fall: 0.01, ring: 0.035 }), 0.6],
    [skin({ startHz: 560, endHz: 470, fall: 0.01, ring: 0.05 }), 0.5],
    [click(random, 4_200, 0.004), 0.5 * velocity],
  );

const hand =
  (hertz: number, ring: number, slap: number): Hit =>
  (velocity, random) =>
    mix(
      [skin({ startHz: hertz * (1.12 + 0.1 * velocity), endHz: hertz, fall: 0.02, ring }), 0.9],
      [click(random, hertz * 6, 0.01), slap * velocity],
    );

const tambourine: Hit = (velocity, random) =>
  shape(
    metal(0.26, 7_200, random),
    (t) => (Math.exp(-t * 26) + 0.5 * Math.exp(-Math.abs(t - 0.035) * 70) * velocity) * 1.2,
  );

const cowbell: Hit = () => {
  const sound = new Float32Array(frames(0.35));
  for (let i = 0; i < sound.length; i++) {
    const t = i / RATE;
    const value = ((t * 562) % 1 < 0.5 ? 0.5 : -0.5) + ((t * 845) % 1 < 0.5 ? 0.5 : -0.5);
    sound[i] = value * (0.55 * Math.exp(-t * 40) + 0.45 * Math.exp(-t * 10));
  }
  return filterMono(sound, 'band', 900, 0.8);
};

const crash: Hit = (_, random) =>
  shape(
    metal(2.2, 3_200, random),
    (t) => (0.7 * Math.exp(-t * 2.1) + 0.5 * Math.exp(-t * 14)) * Math.min(1, t * 700),
  );

interface DrumSettings {
  hit: Hit;
  /** The key number of General MIDI. */
  midi: number;
  pan?: number;
  /** The level in the mix; 0.9 by default. */
  level?: number;
  /** Percussion by default. */
  instrument?: Instrument;
}

// A table: a row is a drum.
// oxfmt-ignore
const TABLE = {
  kickDusty: { hit: kick({ startHz: 170, endHz: 58, fall: 0.028, ring: 0.3, drive: 1.8 }, 0.5, 1_800), midi: 36, instrument: 'Kick' },
  kickTight: { hit: kick({ startHz: 240, endHz: 54, fall: 0.02, ring: 0.24, drive: 1.4 }, 0.55, 3_200), midi: 36, instrument: 'Kick' },
  kickSoft: { hit: kick({ startHz: 110, endHz: 50, fall: 0.03, ring: 0.32 }, 0.16, 900), midi: 36, instrument: 'Kick' },
  kickHard: { hit: kick({ startHz: 330, endHz: 47, fall: 0.026, ring: 0.42, drive: 2.6 }, 0.6, 2_600), midi: 36, instrument: 'Kick' },
  snareCrack: { hit: snare({ bodyHz: 196, body: 0.8, wires: 0.75, ring: 0.2, colourHz: 3_400, highHz: 1_500 }), midi: 38, instrument: 'Snare' },
  snareDusty: { hit: snare({ bodyHz: 172, body: 0.95, wires: 0.6, ring: 0.16, colourHz: 2_100, highHz: 900 }), midi: 38, instrument: 'Snare' },
  snareTight: { hit: snare({ bodyHz: 228, body: 0.7, wires: 0.7, ring: 0.11, colourHz: 4_600, highHz: 2_200 }), midi: 40, instrument: 'Snare' },
  hatClosed: { hit: hat(0.05, 6_600), midi: 42, pan: 0.22, level: 0.46, instrument: 'Hi-Hat' },
  hatTight: { hit: hat(0.03, 8_200), midi: 42, pan: 0.18, level: 0.46, instrument: 'Hi-Hat' },
  hatOpen: { hit: hat(0.42, 6_000), midi: 46, pan: 0.25, level: 0.4, instrument: 'Hi-Hat' },
  ride: { hit: hat(0.7, 4_200), midi: 51, pan: -0.3, level: 0.32 },
  crash: { hit: crash, midi: 49, pan: -0.2, level: 0.28 },
  shaker: { hit: shaker, midi: 70, pan: -0.35, level: 0.5 },
  brushSweep: { hit: brushSweep, midi: 38, level: 0.5 },
  brushTap: { hit: brushTap, midi: 38, level: 0.8, instrument: 'Snare' },
  clap: { hit: clap, midi: 39, level: 0.72 },
  rim: { hit: rim, midi: 37, pan: -0.12, level: 0.7 },
  tambourine: { hit: tambourine, midi: 54, pan: 0.4, level: 0.46 },
  cowbell: { hit: cowbell, midi: 56, pan: 0.45, level: 0.3 },
  congaLow: { hit: hand(168, 0.28, 0.3), midi: 64, pan: -0.35 },
  congaHigh: { hit: hand(252, 0.2, 0.4), midi: 63, pan: 0.3 },
  congaSlap: { hit: hand(330, 0.07, 1), midi: 62, pan: 0.2 },
  tomLow: { hit: hand(92, 0.42, 0.3), midi: 45, pan: -0.3 },
  tomHigh: { hit: hand(148, 0.32, 0.3), midi: 48, pan: 0.3 },
  clave: { hit: hand(2_350, 0.07, 0.2), midi: 75, pan: -0.5, level: 0.4 },
  block: { hit: hand(980, 0.07, 0.3), midi: 76, pan: 0.55, level: 0.45 },
} satisfies Record<string, DrumSettings>;
export type Drum = keyof typeof TABLE;
export const DRUMS: Record<Drum, DrumSettings> = TABLE;
