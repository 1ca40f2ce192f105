import type { MusicalKey } from '../../domain/catalogue/vocabulary.js';

/** Semitones above C. */
const NATURALS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const SHIFTS: Record<string, number> = { b: -1, '#': 1 };

export interface Tonality {
  root: number;
  /** Semitones above the root. */
  scale: number[];
  pentatonic: number[];
}

export function tonalityOf(key: MusicalKey): Tonality {
  const [letter = '', shift = ''] = key;
  const minor = key.endsWith('Minor');
  return {
    root: (NATURALS[letter] as number) + (SHIFTS[shift] ?? 0),
    scale: minor ? [0, 2, 3, 5, 7, 8, 10] : [0, 2, 4, 5, 7, 9, 11],
    pentatonic: minor ? [0, 3, 5, 7, 10] : [0, 2, 4, 7, 9],
  };
}

const QUALITIES: Record<string, number[]> = {
  '': [0, 4, 7],
  m: [0, 3, 7],
  m7: [0, 3, 7, 10],
  M7: [0, 4, 7, 11],
  9: [0, 4, 10, 14],
  m9: [0, 3, 10, 14],
  M9: [0, 4, 11, 14],
  6: [0, 4, 7, 9],
  add9: [0, 4, 7, 14],
  sus4: [0, 5, 7],
  13: [0, 4, 10, 21],
};

const NUMERALS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii'];

/** A chord: its root in semitones above the key's root, its tones above the chord's root. */
export interface Chord {
  root: number;
  tones: number[];
}

/**
 * Parses chords such as `i:m9 iv:m7 VI:M7 v:m7`: scale degrees of the key, each with its quality. A bar has one chord,
 * or two with a slash: `i:m7/v:m7`.
 */
export function progressionOf(text: string, tonality: Tonality): Chord[][] {
  return text.split(' ').map((bar) =>
    bar.split('/').map((word) => {
      const [, numeral = '', quality = ''] = /^([ivIV]+):?(.*)$/.exec(word) ?? [];
      const degree = NUMERALS.indexOf(numeral.toLowerCase());
      const tones = QUALITIES[quality];
      if (degree < 0 || !tones) throw new Error(`no such chord: ${word}`);
      return { root: tonality.scale[degree] as number, tones };
    }),
  );
}

/** Returns the chord's notes near `centre`, moved by octaves to lie close to the previous chord. */
export function voicing(chord: Chord, tonality: Tonality, centre: number, before: number[] = []): number[] {
  const classes = chord.tones.map((tone) => (tonality.root + chord.root + tone) % 12);
  const aim = before.length > 0 ? before.reduce((sum, note) => sum + note, 0) / before.length : centre;
  const pulled = aim * 0.6 + centre * 0.4;
  const start = Math.round(pulled) - 7;
  const notes = classes.map((pitch) => start + ((((pitch - start) % 12) + 12) % 12));
  return [...new Set(notes)].sort((a, b) => a - b);
}

/** Returns the note of this scale or chord that is nearest to `midi`. */
export function nearest(midi: number, root: number, tones: readonly number[]): number {
  let best = midi;
  let distance = 99;
  for (let candidate = midi - 7; candidate <= midi + 7; candidate++)
    if (tones.some((tone) => (root + tone - candidate) % 12 === 0 && Math.abs(candidate - midi) < distance)) {
      best = candidate;
      distance = Math.abs(candidate - midi);
    }
  return best;
}
