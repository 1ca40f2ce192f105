import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import type { Kind } from '../../../domain/shared/kind.js';
import { KEYS, NOTES, enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { ones } from './bitmap.js';
import { VOCABULARY, isIgnored, nameOf, withoutAccents, type Meaning } from './search-vocabulary.js';

/** The meanings of one search word, or of several words that form one name. A sample must match one meaning. */
export interface SearchWord extends Meaning {
  typed: string;
  /** The typed word and its synonyms. A field matches if one of these texts begins at the start of a word in it. */
  texts: string[];
  /** The word names a fact, so it must match whole words: "am" is a key, not a part of "ambient". */
  isWhole: boolean;
  /** A field also matches if it contains the typed word with typing errors. */
  isNear?: true;
  /** With a typing error corrected, the word is a name that producers use. */
  isMisspelledName?: true;
}

const WORDS_LIMIT = 8;
const LONGEST_NAME_WORDS = 4;
const NEAR_FROM_LETTERS = 4;
const NEAR_NAME_FROM_LETTERS = 5;
const NEAR_TO_LETTERS = 20;
/** Words with this many letters or more may have two typing errors. */
const TWO_ERRORS_FROM_LETTERS = 8;
/** If no sample has the tempo that was searched, tempos up to this far off match, too. */
const NEAR_BPM = 3;
const AROUND_BPM = 5;

/** Splits a text into words. A sample must have all of them, in any fields. @param text non-empty, by `searchText` */
export function searchWords(text: string): SearchWord[] {
  // Split "drumloop", but not "loop" and "oneshot".
  const typed = text.replace(/([a-z]{3,})(loops?|one-?shots?)(?![a-z0-9])/g, '$1 $2').split(' ');
  const words: SearchWord[] = [];
  const noise: SearchWord[] = [];
  for (let at = 0; at < typed.length && words.length < WORDS_LIMIT;) {
    const taken = longestName(typed, at);
    const surface = typed.slice(at, at + taken).join(' ');
    (isIgnored(surface) ? noise : words).push(wordOf(surface));
    at += taken;
  }
  return words.length > 0 ? words : noise.slice(0, WORDS_LIMIT);
}

function longestName(typed: readonly string[], at: number): number {
  for (let count = Math.min(LONGEST_NAME_WORDS, typed.length - at); count > 1; count--) {
    const name = typed.slice(at, at + count).join(' ');
    if (meaningOf(name) || isIgnored(name)) return count;
  }
  return 1;
}

function wordOf(surface: string): SearchWord {
  const { texts = [], ...facts } = meaningOf(surface) ?? {};
  const isWhole = Object.keys(facts).length > 0;
  const singular = !isWhole && /^.{3,}[^s]s$/.test(surface) ? [surface.slice(0, -1)] : [];
  const all = [surface, withoutAccents(surface), ...singular, ...texts];
  return { typed: surface, texts: [...new Set(all)], isWhole, ...facts };
}

function meaningOf(name: string): Meaning | undefined {
  const known = VOCABULARY.get(nameOf(name));
  if (known) return known;
  const bpm = tempoNamed(name);
  if (bpm) return { bpm };
  const keys = keysNamed(name);
  return keys.length > 0 ? { texts: keys, isKey: true } : undefined;
}

/** Parses "90", "90 bpm", "90-95 bpm", "90 to 95", "around 90", "under 90" and "140+". */
function tempoNamed(name: string): { min: number; max: number } | undefined {
  const [, how = '', from, to, plus] =
    /^(?:(around|about|circa|~|under|below|less than|up to|over|above|more than) ?)?(\d{2,3})(?: ?(?:-|–|to) ?(\d{2,3}))?(\+)? ?(?:bpm)?$/.exec(
      name,
    ) ?? [];
  const bpm = Number(from);
  const { min: slowest, max: fastest } = TEMPO_RANGE_BPM;
  const [min, max] = /^(around|about|circa|~)/.test(how)
    ? [bpm - AROUND_BPM, bpm + AROUND_BPM]
    : how === 'up to'
      ? [1, bpm]
      : /^(under|below|less)/.test(how)
        ? [1, bpm - 1]
        : how || plus
          ? [plus ? bpm : bpm + 1, fastest]
          : [bpm, Number(to ?? from)];
  return min > slowest && min <= max && max <= fastest ? { min, max } : undefined;
}

const SCALES = '(?:(major|maj|dur)|minor|min|moll|m)';
/** Notes of the Camelot wheel. 1A, a minor key, has the first note; 1B, a major key, is nine places further. */
const CAMELOT = ['Ab', 'Eb', 'Bb', 'F', 'C', 'G', 'D', 'A', 'E', 'B', 'F#', 'Db'] as const;

/** Parses names such as "a minor", "am", "f sharp maj", "bbmin", "f#" and "8a". Returns all labels in lower case. */
function keysNamed(name: string): string[] {
  const [, hour, ring] = /^(1[0-2]|[1-9])([ab])$/.exec(name) ?? [];
  const place = Number(hour) - 1;
  if (ring === 'a') return labelsOf(`${CAMELOT[place]} Minor`);
  if (ring === 'b') return labelsOf(`${CAMELOT[(place + 9) % CAMELOT.length]} Major`);
  const [, letter, sign = '', scale, isMajor] =
    new RegExp(`^([a-g])(#|♯|b|♭|[ -]?sharp|[ -]?flat)?[ -]?(${SCALES})?$`).exec(name) ?? [];
  const note = NOTES.find(
    (each) => each === `${letter?.toUpperCase()}${sign && (/[#♯]|sharp/.test(sign) ? '#' : 'b')}`,
  );
  // A letter alone does not name a key, because it is too often a word.
  if (!note || (!scale && !sign)) return [];
  if (!scale) return [...labelsOf(`${note} Minor`), ...labelsOf(`${note} Major`)];
  return labelsOf(`${note} ${isMajor ? 'Major' : 'Minor'}`);
}

const labelsOf = (label: string): string[] => {
  const key = KEYS.find((each) => each === label);
  return key ? enharmonicKeys(key).map((each: MusicalKey) => each.toLowerCase()) : [];
};

const canBeNear = ({ typed, isWhole }: Pick<SearchWord, 'typed' | 'isWhole'>): boolean =>
  !isWhole &&
  typed.length >= NEAR_FROM_LETTERS &&
  typed.length <= NEAR_TO_LETTERS &&
  /^[\p{L}\p{N}]+$/u.test(typed);

/** Returns whether a word may match artists' names with a typing error. Short words resemble too many names. */
export const canBeNearName = (word: SearchWord): boolean =>
  canBeNear(word) && word.typed.length >= NEAR_NAME_FROM_LETTERS;

/** Returns whether an artist's name contains the word, with at most one typing error. */
export const isNearName = (name: string, word: SearchWord): boolean =>
  canBeNearName(word) && hasNear(name, word.typed, 1);

const NAMES = [...VOCABULARY].map(([name, meaning]) => ({ name, letters: lettersOf(name), meaning }));

/** Returns the word with tolerance for typing errors or nearby tempos; undefined if that would match too much. */
export function nearWord(word: SearchWord): SearchWord | undefined {
  const { typed, bpm } = word;
  if (bpm) return { ...word, bpm: { min: Math.max(1, bpm.min - NEAR_BPM), max: bpm.max + NEAR_BPM } };
  if (!canBeNear(word)) return undefined;
  const plain = withoutAccents(typed);
  const near = NAMES.filter(
    ({ name, letters }) => mayBeNear(letters, plain) && isNearAt(name, 0, plain, errorsIn(typed), true),
  );
  const texts = near.flatMap(({ meaning }) => meaning.texts ?? []);
  const facts = near.map(({ meaning: { texts: _, ...fact } }) => fact);
  return Object.assign({ ...word }, ...facts, {
    texts: [...new Set([...word.texts, ...texts])],
    isNear: true,
    ...(near.length > 0 && { isMisspelledName: true }),
  });
}

/** Returns whether a character code, or a byte of UTF-8, is a letter from a to z or a digit. */
export const isInWord = (code: number | undefined): boolean =>
  code !== undefined && ((code >= 97 && code <= 122) || (code >= 48 && code <= 57));

/** Returns whether a field has a text at the start of a word, or as whole words. Only a to z and digits form words. */
export function hasText(field: string, text: string, isWhole: boolean): boolean {
  for (let at = field.indexOf(text); at >= 0; at = field.indexOf(text, at + 1)) {
    const end = at + text.length;
    const startsInside = isInWord(text.charCodeAt(0)) && isInWord(field.charCodeAt(at - 1));
    const endsInside = isInWord(text.charCodeAt(text.length - 1)) && isInWord(field.charCodeAt(end));
    if (!startsInside && !(isWhole && endsInside)) return true;
  }
  return false;
}

/** Returns whether a field has the typed word, at the start of a word, with at most `errors` typing errors. */
export function hasNear(field: string, typed: string, errors = errorsIn(typed)): boolean {
  if (!mayBeNear(lettersOf(field), typed, errors)) return false;
  for (let at = 0; at < field.length; at++)
    if (!isInWord(field.charCodeAt(at - 1)) && isNearAt(field, at, typed, errors)) return true;
  return false;
}

/** Returns the letters of a text as 32 bits. Some letters share a bit. */
export function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Digits share the bits 27 to 31, which the letters from a to z do not use.
    letters |= 1 << (code >= 48 && code <= 57 ? 27 + (code % 5) : code);
  }
  return letters;
}

/**
 * Returns false if a text with these letters cannot contain the typed word: each typing error explains at most one
 * letter that the text lacks. This saves nearly all comparisons of a search for words that no sample has.
 */
export const mayBeNear = (letters: number, typed: string, errors = errorsIn(typed)): boolean =>
  ones(lettersOf(typed) & ~letters) <= errors;

const errorsIn = (typed: string): number => (typed.length < TWO_ERRORS_FROM_LETTERS ? 1 : 2);

/** Returns whether `text` has `typed` at `start`, with at most `allowed` typing errors. */
function isNearAt(text: string, start: number, typed: string, allowed: number, toTheEnd = false): boolean {
  const follows = (at: number, from: number, errors: number): boolean => {
    while (from < typed.length && text[at] === typed[from]) {
      at += 1;
      from += 1;
    }
    const left = typed.length - from;
    if (left === 0 && (!toTheEnd || at === text.length)) return true;
    if (errors === 0) return false;
    const other = text[at];
    const isInText = other !== undefined && other !== ' ' && other !== '\n';
    const isSwapped = left > 1 && other === typed[from + 1] && text[at + 1] === typed[from];
    return (
      (left > 0 && follows(at, from + 1, errors - 1)) ||
      (isInText && follows(at + 1, from, errors - 1)) ||
      (isInText && left > 0 && follows(at + 1, from + 1, errors - 1)) ||
      (isSwapped && follows(at + 2, from + 2, errors - 1))
    );
  };
  return follows(start, 0, allowed);
}

/** The searched fields of a sample, lowercased. */
export interface SearchedFields {
  /** Title, genre, mood, instruments. */
  texts: readonly string[];
  pack: string;
  keys: readonly string[];
  bpm: number;
  kind: Kind;
  hasMidi: boolean;
  hasStems: boolean;
}

/** @param withPack whether the title of the pack is also searched */
export function hasWord(fields: SearchedFields, word: SearchWord, withPack = true): boolean {
  const { texts, pack, keys, bpm } = fields;
  const isIn = (field: string): boolean => word.texts.some((text) => hasText(field, text, word.isWhole));
  const isAlike = (field: string): boolean =>
    isIn(field) || (word.isNear === true && hasNear(field, word.typed));
  return (
    word.kind === fields.kind ||
    (word.bpm !== undefined && bpm >= word.bpm.min && bpm <= word.bpm.max) ||
    (word.feature !== undefined && fields[word.feature]) ||
    texts.some(isAlike) ||
    keys.some(isIn) ||
    (withPack && isAlike(pack))
  );
}

/** Returns whether a phrase must match whole words, which is so if each of its words must. */
export const isWholePhrase = (words: readonly SearchWord[]): boolean =>
  words.length > 0 && words.every(({ isWhole }) => isWhole);

/**
 * Returns, as bits, which words to keep if no sample has all of them. Prefers, in this order: more words, words that
 * are no tempo or key, more samples, earlier words. Returns 0 if only words that match by chance would be kept.
 * @param meant the words that do not match by chance, as bits
 * @param samplesWith returns how many samples have all words of some bits
 */
export function wordsToKeep(
  words: readonly SearchWord[],
  meant: number,
  samplesWith: (kept: number) => number,
): number {
  const had = bitsWhere(words, (_, at) => samplesWith(1 << at) > 0);
  const things = bitsWhere(words, ({ bpm, isKey }) => !bpm && !isKey);
  const worth = (kept: number): number => ones(kept) * 2 ** WORDS_LIMIT + ones(kept & things);
  const choices = Array.from({ length: 2 ** words.length - 2 }, (_, at) => at + 1)
    .filter((kept) => (kept & meant) !== 0 && (kept & ~had) === 0)
    .sort((a, b) => worth(b) - worth(a));
  let best = { kept: 0, samples: 0 };
  for (const kept of choices) {
    if (worth(kept) < worth(best.kept)) break;
    const samples = samplesWith(kept);
    if (samples > best.samples) best = { kept, samples };
  }
  return best.kept;
}

export const bitsWhere = <Word>(words: readonly Word[], holds: (word: Word, at: number) => boolean): number =>
  words.reduce((bits, word, at) => (holds(word, at) ? bits | (1 << at) : bits), 0);

export function parted<Word extends SearchWord>(
  words: readonly Word[],
  kept: number,
): { words: Word[]; dropped: string[] } {
  const isKept = (_: Word, at: number) => (kept & (1 << at)) !== 0;
  return {
    words: words.filter(isKept),
    dropped: words.filter((word, at) => !isKept(word, at)).map(({ typed }) => typed),
  };
}
