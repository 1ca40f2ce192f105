import { StateVariable } from './filters.js';
import { RATE } from './stereo.js';
import { CONTROL, levelAt, span, type Envelope, type Voice } from './voice.js';
import { read, SIZE, sine, waveFor, type Shape } from './waves.js';

/** The settings of an instrument of oscillators and a filter: pads, strings, brass, leads, reeds, synth basses. */
interface Patch extends Envelope {
  shape: Shape;
  /** The number of detuned copies, and the detuning of the outermost copies. */
  copies?: number;
  detuneCents?: number;
  /** How far the copies are spread in stereo: 0 mono … 1 from fully left to fully right. */
  width?: number;
  /** The cutoff as a multiple of the pitch, plus a fixed part. */
  cutoffRatio: number;
  cutoffHz?: number;
  q?: number;
  /**
   * How many octaves above its usual value the cutoff starts. It falls to the usual value within about
   * `sweepSeconds`.
   */
  sweepOctaves?: number;
  sweepSeconds?: number;
  /** How long the filter takes to open, for bowed and blown starts. */
  openSeconds?: number;
  vibratoCents?: number;
  vibratoHz?: number;
  vibratoAfter?: number;
  /** The level of wind or bow noise, 0…1. */
  breath?: number;
  /** Slides up to the pitch from this many semitones below. */
  scoopSemitones?: number;
  drive?: number;
  gain?: number;
}

function subtractive(patch: Patch): Voice {
  const copies = patch.copies ?? 1;
  return (out, note) => {
    const frames = span(out, note, patch.release * 1.6);
    const table = waveFor(patch.shape, note.frequencyHz);
    const phases = Float64Array.from({ length: copies }, () => note.random() * SIZE);
    const rates = Float64Array.from({ length: copies }, (_, i) => {
      const place = copies === 1 ? 0 : (i / (copies - 1)) * 2 - 1;
      const cents = place * (patch.detuneCents ?? 0) + (note.random() - 0.5) * 2;
      return (note.frequencyHz * 2 ** (cents / 1200) * SIZE) / RATE;
    });
    const pans = Float64Array.from({ length: copies }, (_, i) =>
      copies === 1 ? 0.5 : 0.5 + (((i * 2) % copies) / (copies - 1) - 0.5) * (patch.width ?? 0),
    );
    const left = new StateVariable();
    const right = new StateVariable();
    const gain = ((patch.gain ?? 1) * (0.35 + 0.65 * note.velocity) * 0.5) / Math.sqrt(copies);
    const drive = patch.drive ?? 0;
    const stereo = copies > 1 && (patch.width ?? 0) > 0;
    let level = 0;
    let target = 0;
    let bend = 1;
    let noise = 0;
    for (let i = 0; i < frames; i++) {
      if (i % CONTROL === 0) {
        const t = i / RATE;
        target = levelAt(patch, t + CONTROL / RATE, note.seconds) * gain;
        if (i === 0) level = patch.attack < 0.004 ? target : 0;
        const open = patch.openSeconds ? Math.min(1, 0.25 + t / patch.openSeconds) : 1;
        const sweep =
          (patch.sweepOctaves ?? 0) *
          Math.exp(-t / (patch.sweepSeconds ?? 0.2)) *
          (0.4 + 0.6 * note.velocity);
        const cutoff = ((patch.cutoffHz ?? 0) + note.frequencyHz * patch.cutoffRatio) * 2 ** sweep * open;
        for (const filter of stereo ? [left, right] : [left])
          filter.set(Math.min(16_000, Math.max(60, cutoff)), patch.q ?? 0.8);
        const rise = Math.max(0, t - (patch.vibratoAfter ?? 0.25));
        const vibrato =
          (patch.vibratoCents ?? 0) * Math.min(1, rise * 3) * sine(rise * (patch.vibratoHz ?? 5.2));
        const scoop = -(patch.scoopSemitones ?? 0) * 100 * Math.exp(-t * 22);
        bend = 2 ** ((vibrato + scoop) / 1200);
      }
      level += (target - level) / CONTROL;
      let l = 0;
      let r = 0;
      for (let copy = 0; copy < copies; copy++) {
        const phase = (phases[copy] as number) + (rates[copy] as number) * bend;
        const wrapped = phase >= SIZE ? phase - SIZE : phase;
        phases[copy] = wrapped;
        const value = read(table, wrapped);
        r += value * (pans[copy] as number);
        l += value * (1 - (pans[copy] as number));
      }
      if (patch.breath) {
        noise = noise * 0.4 + (note.random() - 0.5) * patch.breath;
        l += noise;
        r += noise;
      }
      l = left.low(l) * 2;
      r = stereo ? right.low(r) * 2 : l;
      if (drive > 0) {
        l = Math.tanh(l * (1 + drive)) / (1 + drive * 0.5);
        r = Math.tanh(r * (1 + drive)) / (1 + drive * 0.5);
      }
      (out.left[note.at + i] as number) += l * level;
      (out.right[note.at + i] as number) += r * level;
    }
  };
}

// A table: a row is a voice.
// oxfmt-ignore
export const PATCHES = {
  warmPad: subtractive({ shape: 'saw', copies: 5, detuneCents: 11, width: 1, attack: 0.55, decay: 1.2, sustain: 0.85, release: 1.6, cutoffRatio: 1.6, cutoffHz: 380, q: 0.7, openSeconds: 1.6, gain: 0.6 }),
  peachPad: subtractive({ shape: 'pulse', copies: 4, detuneCents: 17, width: 1, attack: 0.3, decay: 1, sustain: 0.8, release: 1.4, cutoffRatio: 2, cutoffHz: 500, q: 0.9, sweepOctaves: 0.8, sweepSeconds: 0.9, vibratoCents: 9, vibratoHz: 0.7, vibratoAfter: 0, gain: 0.6 }),
  glassPad: subtractive({ shape: 'glass', copies: 4, detuneCents: 7, width: 1, attack: 0.9, decay: 2, sustain: 0.8, release: 2.4, cutoffRatio: 4, cutoffHz: 900, q: 0.6, gain: 0.6 }),
  strings: subtractive({ shape: 'saw', copies: 6, detuneCents: 14, width: 0.9, attack: 0.18, decay: 0.8, sustain: 0.9, release: 0.55, cutoffRatio: 2.6, cutoffHz: 1_100, q: 0.6, vibratoCents: 7, vibratoHz: 5.4, breath: 0.06, openSeconds: 0.5, gain: 0.55 }),
  brass: subtractive({ shape: 'saw', copies: 3, detuneCents: 8, width: 0.6, attack: 0.035, decay: 0.5, sustain: 0.75, release: 0.16, cutoffRatio: 2.1, cutoffHz: 500, q: 0.8, sweepOctaves: 1.3, sweepSeconds: 0.14, openSeconds: 0.09, vibratoCents: 10, vibratoAfter: 0.4, scoopSemitones: 0.6, drive: 0.6, gain: 0.7 }),
  sax: subtractive({ shape: 'reed', copies: 2, detuneCents: 4, width: 0.15, attack: 0.03, decay: 0.4, sustain: 0.85, release: 0.14, cutoffRatio: 3.2, cutoffHz: 700, q: 1.1, openSeconds: 0.12, vibratoCents: 16, vibratoAfter: 0.22, breath: 0.24, scoopSemitones: 0.9, drive: 0.9, gain: 0.75 }),
  clarinet: subtractive({ shape: 'hollow', attack: 0.045, decay: 0.4, sustain: 0.9, release: 0.14, cutoffRatio: 4, cutoffHz: 600, vibratoCents: 6, vibratoAfter: 0.5, breath: 0.07, gain: 0.9 }),
  flute: subtractive({ shape: 'triangle', attack: 0.06, decay: 0.4, sustain: 0.9, release: 0.18, cutoffRatio: 2.4, cutoffHz: 900, vibratoCents: 14, vibratoHz: 4.8, vibratoAfter: 0.2, breath: 0.36, gain: 0.95 }),
  softLead: subtractive({ shape: 'square', copies: 2, detuneCents: 6, width: 0.3, attack: 0.012, decay: 0.5, sustain: 0.7, release: 0.25, cutoffRatio: 2.4, cutoffHz: 300, q: 1.2, sweepOctaves: 1, sweepSeconds: 0.2, vibratoCents: 12, scoopSemitones: 0.5, gain: 0.7 }),
  brightLead: subtractive({ shape: 'saw', copies: 5, detuneCents: 15, width: 0.8, attack: 0.006, decay: 0.6, sustain: 0.75, release: 0.3, cutoffRatio: 5, cutoffHz: 900, q: 0.9, sweepOctaves: 0.8, sweepSeconds: 0.25, vibratoCents: 8, gain: 0.6 }),
  pluck: subtractive({ shape: 'saw', copies: 3, detuneCents: 9, width: 0.7, attack: 0.002, decay: 0.5, sustain: 0, release: 0.3, cutoffRatio: 1.2, cutoffHz: 240, q: 1.4, sweepOctaves: 3.4, sweepSeconds: 0.09, gain: 0.9 }),
  stab: subtractive({ shape: 'saw', copies: 4, detuneCents: 13, width: 0.9, attack: 0.003, decay: 0.45, sustain: 0.15, release: 0.2, cutoffRatio: 1.4, cutoffHz: 350, q: 1.3, sweepOctaves: 2.2, sweepSeconds: 0.16, drive: 0.7, gain: 0.65 }),
  organ: subtractive({ shape: 'organ', copies: 2, detuneCents: 3, width: 0.6, attack: 0.006, decay: 0.3, sustain: 0.95, release: 0.09, cutoffRatio: 6, cutoffHz: 1_800, vibratoCents: 6, vibratoHz: 6.4, vibratoAfter: 0, drive: 0.5, gain: 0.5 }),
  synthBass: subtractive({ shape: 'saw', copies: 2, detuneCents: 6, attack: 0.003, decay: 0.35, sustain: 0.55, release: 0.09, cutoffRatio: 1.6, cutoffHz: 140, q: 1.5, sweepOctaves: 2.2, sweepSeconds: 0.13, drive: 0.8, gain: 1.1 }),
  reese: subtractive({ shape: 'saw', copies: 4, detuneCents: 24, width: 0.5, attack: 0.01, decay: 0.4, sustain: 0.9, release: 0.14, cutoffRatio: 2, cutoffHz: 200, q: 1.1, drive: 1.2, gain: 0.9 }),
} as const;
