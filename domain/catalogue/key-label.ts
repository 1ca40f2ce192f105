import { KEYS, type MusicalKey } from './vocabulary.js';

/** `C# Minor`, `c# minor`, `C#m`, `C#min` and `C# maj` are the same words. */
export function keyOf(label: string | undefined): MusicalKey | undefined {
  const match = /^\s*([A-Ga-g])([#♯b♭]?)\s*(major|maj|minor|min|m)?\s*$/i.exec(label ?? '');
  if (!match) return undefined;
  const [, letter = '', sign = '', scale = ''] = match;
  const accidental = sign === '♯' ? '#' : sign === '♭' ? 'b' : sign;
  // `CM` is C major, `Cm` C minor: of the single letter alone the case counts.
  const mode = scale !== 'M' && /^(minor|min|m)$/i.test(scale) ? 'Minor' : 'Major';
  return KEYS.find((key) => key === `${letter.toUpperCase()}${accidental} ${mode}`);
}
