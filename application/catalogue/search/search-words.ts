import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import { KEYS, enharmonicKeys } from '../../../domain/catalogue/vocabulary.js';

/** The meanings of one word of a search, or of several that belong together. A sample must have one of them. */
export interface SearchWord {
  /** As typed, and other ways to write or call it; lowercased. Any field may contain them. */
  texts: string[];
  /** The tempo that the word names. */
  bpm?: number;
  /** A regular expression for words within one typing error. Titles, packs and labels may match it too. */
  near?: string;
}

/** Further words of a search are ignored. */
const WORDS_LIMIT = 8;
const LONGEST_NAME_WORDS = 3;
const NEAR_FROM_LETTERS = 4;
const NEAR_TO_LETTERS = 20;

/** Other words for labels and titles: each line is one thing. Hyphens count as spaces. */
const SAME: readonly (readonly string[])[] = [
  ['boom-bap', 'boom bap', 'boombap'],
  ['lofi', 'lo-fi', 'lo fi'],
  ['r&b', 'rnb', 'r n b', 'r and b'],
  ['neo r&b', 'neo soul', 'neo rnb'],
  ['hi-hat', 'hihat', 'hi hat', 'hi-hats', 'hihats'],
  ['kick', 'kick drum', 'kick drums', 'bass drum', 'kicks'],
  ['snare', 'snare drum', 'snare drums', 'snares'],
  ['vocal', 'vocals', 'vox'],
  ['percussion', 'perc', 'percs'],
  ['saxophone', 'sax'],
  ['synth', 'synthesizer', 'synthesiser'],
  ['fx', 'sfx', 'sound effect', 'sound effects', 'effects'],
  ['field recording', 'field recordings', 'foley'],
  ['808', '808s'],
];
/** Words for wider or narrower things, one way only. */
const MEANS: Readonly<Record<string, readonly string[]>> = {
  'electric piano': ['rhodes', 'wurlitzer'],
  epiano: ['rhodes', 'wurlitzer'],
  'hip hop': ['boom-bap', 'trap', 'lofi', 'drill'],
  hiphop: ['hip hop', 'hip-hop', 'boom-bap', 'trap', 'lofi', 'drill'],
};
/** Words for everything in the catalogue. Beside other words they narrow nothing down. */
const NOISE = new Set([
  'bpm',
  'loop',
  'loops',
  'sample',
  'samples',
  'sound',
  'sounds',
  'one shot',
  'oneshot',
  'wav',
]);

const nameOf = (text: string): string => text.replaceAll('-', ' ');
const NAMES = new Map<string, readonly string[]>([
  ...SAME.flatMap((names) => names.map((name) => [nameOf(name), names] as const)),
  ...Object.entries(MEANS),
]);

/**
 * The words of a search and their meanings; a sample is found if it has all of them, in any fields.
 * @param text as `searchText` makes it, not empty
 */
export function searchWords(text: string): SearchWord[] {
  const typed = text.split(' ');
  const words: SearchWord[] = [];
  const noise: SearchWord[] = [];
  for (let at = 0; at < typed.length && words.length < WORDS_LIMIT;) {
    const taken = longestName(typed, at);
    const surface = typed.slice(at, at + taken).join(' ');
    (NOISE.has(nameOf(surface)) ? noise : words).push(meaningOf(surface));
    at += taken;
  }
  return words.length > 0 ? words : noise.slice(0, WORDS_LIMIT);
}

/** The number of words from here on that form one name. */
function longestName(typed: readonly string[], at: number): number {
  for (let count = Math.min(LONGEST_NAME_WORDS, typed.length - at); count > 1; count--) {
    const name = typed.slice(at, at + count).join(' ');
    if (NAMES.has(nameOf(name)) || NOISE.has(name) || keysNamed(name).length > 0 || /^\d+ bpm$/.test(name))
      return count;
  }
  return 1;
}

function meaningOf(surface: string): SearchWord {
  const singular = /^.{3,}[^s]s$/.test(surface) ? [surface.slice(0, -1)] : [];
  const names = NAMES.get(nameOf(surface)) ?? [];
  const texts = [...new Set([surface, ...singular, ...names, ...keysNamed(surface)])];
  const bpm = Number(/^(\d{2,3})( ?bpm)?$/.exec(surface)?.[1] ?? Number.NaN);
  return bpm > TEMPO_RANGE_BPM.min && bpm <= TEMPO_RANGE_BPM.max ? { texts, bpm } : { texts };
}

/** "a minor", "am", "f sharp maj", "bbmin": the labels of keys that sound so, lowercased. */
function keysNamed(surface: string): string[] {
  const [, note, sign = '', scale] =
    /^([a-g])(#|b| sharp| flat)? ?(major|minor|maj|min|m)$/.exec(surface) ?? [];
  if (!note) return [];
  const accidental = sign.replace(' sharp', '#').replace(' flat', 'b');
  const label = `${note.toUpperCase()}${accidental} ${scale?.startsWith('maj') ? 'Major' : 'Minor'}`;
  const known = KEYS.find((key) => key === label);
  return known ? enharmonicKeys(known).map((key) => key.toLowerCase()) : [];
}

/** The same word, also with one letter wrong, missing, too many or swapped; undefined if that could mean anything. */
export function nearWord(word: SearchWord): SearchWord | undefined {
  const [typed = ''] = word.texts;
  const letters = [...typed];
  if (letters.length < NEAR_FROM_LETTERS || letters.length > NEAR_TO_LETTERS) return undefined;
  if (!/^[\p{L}\p{N}]+$/u.test(typed)) return undefined;
  const any = '[^ \\n]';
  const variants = letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')];
    const swapped = before + (letters[at + 1] ?? '') + letter + letters.slice(at + 2).join('');
    return [before + after, before + any + after, before + any + letter + after, swapped];
  });
  return { ...word, near: [...new Set(variants)].join('|') };
}

/** The fields of a sample that a word may be in, lowercased. */
export interface SearchedFields {
  /** Title, pack, genre, mood, instruments. */
  texts: readonly string[];
  /** The key, if there is one. */
  keys: readonly string[];
  bpm: number;
}

export function hasWord({ texts, keys, bpm }: SearchedFields, word: SearchWord): boolean {
  if (word.near !== undefined) {
    const near = new RegExp(word.near, 'u');
    if (texts.some((field) => near.test(field))) return true;
  }
  return (
    word.bpm === bpm || word.texts.some((text) => [...texts, ...keys].some((field) => field.includes(text)))
  );
}
