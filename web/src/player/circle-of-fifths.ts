const LETTERS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const ACCIDENTALS: Record<string, number> = { '': 0, '#': 1, b: -1 };
/** Clockwise from the top of the circle. */
const MAJORS = ['C', 'G', 'D', 'A', 'E', 'B', 'F#', 'Db', 'Ab', 'Eb', 'Bb', 'F'] as const;
const MINORS = ['A', 'E', 'B', 'F#', 'C#', 'G#', 'D#', 'Bb', 'F', 'C', 'G', 'D'] as const;

export interface CirclePlace {
  /** 0 at the top (C Major, A Minor), clockwise in fifths to 11. */
  hour: number;
  mode: 'Major' | 'Minor';
}

/** The position of a key on the circle of fifths; null if it is no key. @param key such as "F# Minor" */
export function placeOf(key: string): CirclePlace | null {
  const [, letter, accidental, mode] = /^([A-G])([#b]?) (Major|Minor)$/.exec(key) ?? [];
  if (!letter || !mode) return null;
  const pitch = (LETTERS[letter] ?? 0) + (ACCIDENTALS[accidental ?? ''] ?? 0) + (mode === 'Minor' ? 3 : 0);
  return { hour: (((pitch * 7) % 12) + 12) % 12, mode: mode as CirclePlace['mode'] };
}

export function keyAt({ hour, mode }: CirclePlace): string {
  const at = ((hour % 12) + 12) % 12;
  return `${(mode === 'Major' ? MAJORS : MINORS)[at]} ${mode}`;
}

/** The keys that share all notes but at most one with a key: its relative, and its neighbours on the circle. */
export function fittingKeys(key: string): string[] {
  const place = placeOf(key);
  if (!place) return [];
  const { hour, mode } = place;
  return [
    keyAt({ hour, mode: mode === 'Major' ? 'Minor' : 'Major' }),
    keyAt({ hour: hour - 1, mode }),
    keyAt({ hour: hour + 1, mode }),
  ];
}
