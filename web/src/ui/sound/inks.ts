import { GENRE_INKS, INK, luminance } from '../../../../application/publishing/values.js';

const PERSON_INKS = [INK.teal, INK.yellow, INK.green, INK.blue, INK.plum, INK.kraft, INK.oxblood, INK.mint];

/**
 * The colour of text on a ground: ink or white, whichever reads better. The colour `INK.paper` is not used, because
 * small text in it is hard to read on green.
 */
export const textOn = (ground: string): string => (luminance(ground) > 0.22 ? INK.ink : '#FFFFFF');

export const isGenre = (genre: string): genre is keyof typeof GENRE_INKS => genre in GENRE_INKS;

export const inksOf = (genre: string): readonly [string, string, string, string] =>
  isGenre(genre) ? GENRE_INKS[genre] : [INK.green, INK.ink, INK.kraft, INK.paper];

/** One of eight inks, always the same for a name. */
export function inkOfName(name: string): string {
  let hash = 2166136261;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return PERSON_INKS[(hash >>> 0) % PERSON_INKS.length] ?? INK.teal;
}

export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s_-]+/)
    .filter(Boolean);
  if (words.length === 0) return 'U';
  const picked = words.length === 1 ? [words[0]] : [words[0], words[words.length - 1]];
  return picked.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}
