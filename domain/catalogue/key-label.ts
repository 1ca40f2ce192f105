import { KEYS, type MusicalKey } from './vocabulary.js';

/** Returns the key that a label names, in any common spelling such as `c# minor`, `C#m`, `C#min` or `C# maj`. */
export function keyOf(label: string | undefined): MusicalKey | undefined {
  const match = /^\s*([A-Ga-g])([#♯b♭]?)\s*(major|maj|minor|min|m)?\s*$/i.exec(label ?? '');
  if (!match) return undefined;
  const [, letter = '', sign = '', scale = ''] = match;
  const accidental = sign === '♯' ? '#' : sign === '♭' ? 'b' : sign;
  // `CM` is C major and `Cm` is C minor, so the case of a single letter counts.
  const mode = scale !== 'M' && /^(minor|min|m)$/i.test(scale) ? 'Minor' : 'Major';
  return KEYS.find((key) => key === `${letter.toUpperCase()}${accidental} ${mode}`);
}
