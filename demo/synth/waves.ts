import type { Random } from '../../domain/shared/seeded-random.js';
import { RATE } from './stereo.js';

/** Waveforms as band-limited single cycles, read with linear interpolation. */

export const SIZE = 2048;
const MASK = SIZE - 1;

export type Shape = 'sine' | 'saw' | 'square' | 'triangle' | 'pulse' | 'organ' | 'reed' | 'hollow' | 'glass';

/** For each shape, the strength of a harmonic by its number. Harmonic 1 is the fundamental. */
const HARMONICS: Record<Shape, (harmonic: number) => number> = {
  sine: (k) => (k === 1 ? 1 : 0),
  saw: (k) => 1 / k,
  square: (k) => (k % 2 === 1 ? 1 / k : 0),
  triangle: (k) => (k % 2 === 1 ? (k % 4 === 1 ? 1 : -1) / (k * k) : 0),
  pulse: (k) => Math.sin(k * Math.PI * 0.22) / k,
  organ: (k) => [0, 0.9, 0.7, 0.5, 0.35, 0, 0.22, 0, 0.26][k] ?? 0,
  reed: (k) => (k % 2 === 1 ? 1 : 0.12) / k ** 1.35,
  hollow: (k) => (k % 2 === 1 ? 1 : 0.45) / k ** 1.7,
  glass: (k) => [0, 1, 0.18, 0.42, 0.05, 0.2, 0, 0.11][k] ?? 0,
};

const cache = new Map<string, Float32Array>();

function build(shape: Shape, harmonics: number): Float32Array {
  const table = new Float32Array(SIZE + 1);
  for (let k = 1; k <= harmonics; k++) {
    const strength = HARMONICS[shape](k);
    if (Math.abs(strength) < 1e-5) continue;
    // Rotates a vector, which is faster than a sine per sample.
    const step = (2 * Math.PI * k) / SIZE;
    const cos = Math.cos(step);
    const sin = Math.sin(step);
    let x = 1;
    let y = 0;
    for (let i = 0; i < SIZE; i++) {
      (table[i] as number) += strength * y;
      const turned = x * cos - y * sin;
      y = x * sin + y * cos;
      x = turned;
    }
  }
  let peak = 0;
  for (let i = 0; i < SIZE; i++) peak = Math.max(peak, Math.abs(table[i] as number));
  for (let i = 0; i < SIZE; i++) (table[i] as number) /= peak;
  table[SIZE] = table[0] as number;
  return table;
}

/** Returns the cycle for a note of this pitch: as bright as possible without aliasing. */
export function waveFor(shape: Shape, frequencyHz: number): Float32Array {
  const ceiling = Math.max(1, Math.floor(18_000 / frequencyHz));
  const harmonics = Math.min(256, 2 ** Math.floor(Math.log2(ceiling)));
  const key = `${shape}${harmonics}`;
  let table = cache.get(key);
  if (!table) cache.set(key, (table = build(shape, harmonics)));
  return table;
}

/** Reads a cycle at a phase of 0 to SIZE frames. */
export function read(table: Float32Array, phase: number): number {
  const whole = phase | 0;
  const a = table[whole & MASK] as number;
  return a + ((table[(whole & MASK) + 1] as number) - a) * (phase - whole);
}

const SINE = build('sine', 1);

/** Returns the sine of a phase in turns (any real number ≥ −1000). */
export function sine(turns: number): number {
  const at = (turns + 1024) * SIZE;
  const whole = Math.floor(at);
  const i = whole & MASK;
  const a = SINE[i] as number;
  return a + ((SINE[i + 1] as number) - a) * (at - whole);
}

export const hertz = (midi: number): number => 440 * 2 ** ((midi - 69) / 12);
export const frames = (seconds: number): number => Math.max(1, Math.round(seconds * RATE));

/** Returns white noise. */
export const hiss = (length: number, random: Random): Float32Array =>
  Float32Array.from({ length }, () => random() * 2 - 1);

/** Multiplies a sound by a level that depends on the seconds since its start. */
export const shape = (sound: Float32Array, level: (t: number) => number): Float32Array => {
  for (let i = 0; i < sound.length; i++) (sound[i] as number) *= level(i / RATE);
  return sound;
};
