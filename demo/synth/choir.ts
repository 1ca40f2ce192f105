import { StateVariable } from './filters.js';
import { RATE } from './stereo.js';
import { CONTROL, levelAt, span, type Voice } from './voice.js';
import { read, SIZE, sine, waveFor } from './waves.js';

// A table: a row is a vowel, a column one formant: its frequency, level and q.
// oxfmt-ignore
const VOWELS = {
  ah: [[730, 1, 7], [1_150, 0.55, 9], [2_600, 0.22, 14]],
  oh: [[480, 1, 7], [820, 0.5, 9], [2_500, 0.1, 14]],
  oo: [[330, 1, 7], [690, 0.3, 9], [2_300, 0.06, 14]],
  eh: [[560, 1, 7], [1_750, 0.5, 11], [2_500, 0.28, 14]],
  mm: [[260, 1, 5], [900, 0.08, 9], [2_200, 0.03, 14]],
} as const;
type Vowel = keyof typeof VOWELS;

/**
 * Singers on one note, each with a slightly different pitch and vibrato. The vowel changes into another while the
 * note is held.
 */
function singers(settings: {
  voices: number;
  from: Vowel;
  to: Vowel;
  attack: number;
  release: number;
  breath: number;
  gain: number;
}): Voice {
  return (out, note) => {
    const frames = span(out, note, settings.release * 1.6);
    const table = waveFor('saw', note.frequencyHz);
    const envelope = { attack: settings.attack, decay: 0.8, sustain: 0.85, release: settings.release };
    const crew = Array.from({ length: settings.voices }, (_, i) => ({
      phase: note.random() * SIZE,
      cents: (note.random() - 0.5) * 22,
      vibratoHz: 4.8 + note.random() * 1.2,
      depth: 12 + note.random() * 14,
      right: settings.voices === 1 ? 0.5 : 0.12 + (0.76 * i) / (settings.voices - 1),
      rate: 0,
    }));
    const mouths = [0, 1].map(() => VOWELS[settings.from].map(([hertz, , q]) => new StateVariable(hertz, q)));
    const levels = VOWELS[settings.from].map(([, level]) => level as number);
    const gain = (settings.gain * (0.35 + 0.65 * note.velocity)) / Math.sqrt(settings.voices);
    let level = 0;
    let target = 0;
    let air = 0;
    for (let i = 0; i < frames; i++) {
      if (i % CONTROL === 0) {
        const t = i / RATE;
        target = levelAt(envelope, t, note.seconds) * gain;
        const turn = Math.min(1, t / Math.max(0.1, note.seconds)) ** 1.5;
        for (let f = 0; f < levels.length; f++) {
          const [fromHz, fromLevel, q] = VOWELS[settings.from][f] as readonly [number, number, number];
          const [toHz, toLevel] = VOWELS[settings.to][f] as readonly [number, number, number];
          levels[f] = fromLevel + (toLevel - fromLevel) * turn;
          for (const mouth of mouths) (mouth[f] as StateVariable).set(fromHz + (toHz - fromHz) * turn, q);
        }
        for (const singer of crew) {
          const vibrato =
            singer.depth *
            Math.min(1, Math.max(0, t - 0.2) * 2.5) *
            sine(t * singer.vibratoHz + singer.right);
          const scoop = -60 * Math.exp(-t * 14);
          singer.rate = (note.frequencyHz * 2 ** ((singer.cents + vibrato + scoop) / 1200) * SIZE) / RATE;
        }
      }
      level += (target - level) / CONTROL;
      let l = 0;
      let r = 0;
      for (const singer of crew) {
        singer.phase += singer.rate;
        if (singer.phase >= SIZE) singer.phase -= SIZE;
        const value = read(table, singer.phase);
        r += value * singer.right;
        l += value * (1 - singer.right);
      }
      air = air * 0.3 + (note.random() - 0.5) * settings.breath;
      let sumLeft = 0;
      let sumRight = 0;
      for (let f = 0; f < levels.length; f++) {
        const left = mouths[0]?.[f] as StateVariable;
        const right = mouths[1]?.[f] as StateVariable;
        left.low(l + air);
        right.low(r + air);
        sumLeft += left.band * (levels[f] as number);
        sumRight += right.band * (levels[f] as number);
      }
      (out.left[note.at + i] as number) += sumLeft * level;
      (out.right[note.at + i] as number) += sumRight * level;
    }
  };
}

export const CHOIRS = {
  choirAh: singers({ voices: 4, from: 'oh', to: 'ah', attack: 0.22, release: 0.6, breath: 0.25, gain: 1.3 }),
  choirOoh: singers({ voices: 3, from: 'oo', to: 'oh', attack: 0.28, release: 0.7, breath: 0.18, gain: 1.5 }),
  hum: singers({ voices: 3, from: 'mm', to: 'oo', attack: 0.14, release: 0.4, breath: 0.08, gain: 1.5 }),
  chop: singers({ voices: 2, from: 'eh', to: 'ah', attack: 0.02, release: 0.12, breath: 0.3, gain: 1.4 }),
  solo: singers({ voices: 1, from: 'oo', to: 'ah', attack: 0.06, release: 0.3, breath: 0.3, gain: 1.3 }),
} as const;
