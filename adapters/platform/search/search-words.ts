import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import { KIND_NAMES, kindOf, type Kind } from '../../../domain/catalogue/kind.js';
import { KEYS, enharmonicKeys } from '../../../domain/catalogue/vocabulary.js';

/** The meanings of one search word, or of several words that form one name. A sample must match one of them. */
export interface SearchWord {
  typed: string;
  /** The typed word and its synonyms. A field matches if one of them begins at the start of a word. */
  texts: string[];
  /** The word names a fact, so it must match whole words: "am" is a key, not a part of "ambient". */
  isWhole: boolean;
  isKey?: true;
  bpm?: { min: number; max: number };
  kind?: Kind;
  feature?: 'midi' | 'stems';
  /** Fields may differ from the word by one typing error. */
  isNear?: true;
}

const WORDS_LIMIT = 8;
const LONGEST_NAME_WORDS = 4;
const NEAR_FROM_LETTERS = 4;
const NEAR_TO_LETTERS = 20;

/** Synonyms for labels and titles, one group per line. Hyphens count as spaces. */
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
  ['break', 'breaks', 'breakbeat', 'breakbeats', 'drum break', 'break beat'],
  ['rhodes', 'rodes', 'rhoads'],
];
/** Instruments that play melodies, and words for melodies. */
const MELODIC =
  'melody melodies melodic piano guitar strings brass rhodes wurlitzer organ synth lead pluck mallets harp flute saxophone clarinet'.split(
    ' ',
  );
/** Words that also match related words, in one direction only. */
const MEANS: Readonly<Record<string, readonly string[]>> = {
  keys: ['keys', 'piano', 'rhodes', 'wurlitzer', 'organ', 'clavinet'],
  keyboard: ['piano', 'rhodes', 'wurlitzer', 'organ', 'clavinet'],
  melody: MELODIC,
  melodies: MELODIC,
  melodic: MELODIC,
  violin: ['strings'],
  violins: ['violin', 'strings'],
  cello: ['strings'],
  viola: ['strings'],
  dusty: ['dusty', 'dust', 'vinyl', 'lofi', 'boom-bap'],
  'electric piano': ['rhodes', 'wurlitzer'],
  epiano: ['rhodes', 'wurlitzer'],
  'hip hop': ['boom-bap', 'trap', 'lofi', 'drill'],
  hiphop: ['hip hop', 'hip-hop', 'boom-bap', 'trap', 'lofi', 'drill'],
};
/** Words that fit everything in the catalogue. They are ignored beside other words. */
const NOISE = new Set(['bpm', 'sample', 'samples', 'sound', 'sounds', 'wav', 'with', 'and']);
const KINDS = ['loop', 'one-shot'] as const;
const SCALES = new Set(['minor', 'major']);
const FEATURES = new Map<string, 'midi' | 'stems'>([
  ['midi', 'midi'],
  ['stem', 'stems'],
  ['stems', 'stems'],
]);
const TEMPOS = new Map([
  ['slow', { min: 1, max: 85 }],
  ['fast', { min: 130, max: TEMPO_RANGE_BPM.max }],
]);

const nameOf = (text: string): string => text.replaceAll('-', ' ');
const NAMES = new Map<string, readonly string[]>([
  ...SAME.flatMap((names) => names.map((name) => [nameOf(name), names] as const)),
  ...Object.entries(MEANS),
]);

/** A sample matches if it has all words, in any fields. @param text non-empty result of `searchText` */
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

function longestName(typed: readonly string[], at: number): number {
  for (let count = Math.min(LONGEST_NAME_WORDS, typed.length - at); count > 1; count--) {
    const name = typed.slice(at, at + count).join(' ');
    if (NAMES.has(nameOf(name)) || NOISE.has(name) || factOf(name)) return count;
  }
  return 1;
}

function meaningOf(surface: string): SearchWord {
  const fact = factOf(surface);
  if (fact) return { typed: surface, texts: [surface], isWhole: true, ...fact };
  const singular = /^.{3,}[^s]s$/.test(surface) ? [surface.slice(0, -1)] : [];
  const names = NAMES.get(nameOf(surface)) ?? [];
  const texts = [...new Set([surface, ...singular, ...names])];
  return { typed: surface, texts, isWhole: false, ...(SCALES.has(surface) && { isKey: true }) };
}

/** Returns the kind, tempo, key or feature that a name stands for. */
function factOf(name: string): Partial<SearchWord> | undefined {
  const kind = KINDS.find((each) => KIND_NAMES[each].includes(name));
  if (kind) return { kind };
  const bpm = TEMPOS.get(name) ?? tempoNamed(name);
  if (bpm) return { bpm };
  const keys = keysNamed(name);
  if (keys.length > 0) return { texts: [name, ...keys], isKey: true };
  const feature = FEATURES.get(name);
  return feature && { feature };
}

/** Parses "90", "90 bpm", "90-95 bpm" and "90 to 95". */
function tempoNamed(name: string): { min: number; max: number } | undefined {
  const [, from, to = from] = /^(\d{2,3})(?: ?(?:-|–|to) ?(\d{2,3}))?(?: ?bpm)?$/.exec(name) ?? [];
  const [min, max] = [Number(from), Number(to)];
  return min > TEMPO_RANGE_BPM.min && min <= max && max <= TEMPO_RANGE_BPM.max ? { min, max } : undefined;
}

/** Parses names such as "a minor", "am", "f sharp maj" and "bbmin". Returns all labels of that key, lowercased. */
function keysNamed(surface: string): string[] {
  const [, note, sign = '', scale] =
    /^([a-g])(#|b| sharp| flat)? ?(major|minor|maj|min|m)$/.exec(surface) ?? [];
  if (!note) return [];
  const accidental = sign.replace(' sharp', '#').replace(' flat', 'b');
  const label = `${note.toUpperCase()}${accidental} ${scale?.startsWith('maj') ? 'Major' : 'Minor'}`;
  const known = KEYS.find((key) => key === label);
  return known ? enharmonicKeys(known).map((key) => key.toLowerCase()) : [];
}

/** Tolerates one wrong, missing, extra or swapped letter. Undefined if that would match too much. */
export function nearWord(word: SearchWord): SearchWord | undefined {
  const { typed, isWhole } = word;
  if (isWhole || typed.length < NEAR_FROM_LETTERS || typed.length > NEAR_TO_LETTERS) return undefined;
  if (!/^[\p{L}\p{N}]+$/u.test(typed)) return undefined;
  const names = [...NAMES].flatMap(([name, texts]) => (isNearAt(name, 0, typed, true) ? texts : []));
  return { ...word, texts: [...new Set([...word.texts, ...names])], isNear: true };
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

/** Returns whether a field has a word, at the start of a word, with at most one typing error. */
export function hasNear(field: string, typed: string): boolean {
  for (let at = 0; at < field.length; at++)
    if (!isInWord(field.charCodeAt(at - 1)) && isNearAt(field, at, typed, false)) return true;
  return false;
}

/** Returns whether `text` has `typed` at `start`. Tolerates one typing error where they first differ. */
function isNearAt(text: string, start: number, typed: string, toTheEnd: boolean): boolean {
  const follows = (at: number, rest: string): boolean =>
    toTheEnd ? text.slice(at) === rest : text.startsWith(rest, at);
  let same = 0;
  while (same < typed.length && text[start + same] === typed[same]) same++;
  const at = start + same;
  const rest = typed.slice(same + 1);
  if (follows(at, typed.slice(same)) || follows(at, rest)) return true;
  const other = text[at];
  if (other === undefined || other === ' ' || other === '\n') return false;
  const isSwapped = other === typed[same + 1] && text[at + 1] === typed[same];
  return (
    follows(at + 1, rest) ||
    follows(at + 1, typed.slice(same)) ||
    (isSwapped && follows(at + 2, typed.slice(same + 2)))
  );
}

/** The searched fields of a sample, lowercased. */
export interface SearchedFields {
  title: string;
  /** Title, pack, genre, mood, instruments. */
  texts: readonly string[];
  keys: readonly string[];
  bpm: number;
  durationMs: number;
  hasMidi: boolean;
  hasStems: boolean;
}

export function hasWord(fields: SearchedFields, word: SearchWord): boolean {
  const { texts, keys, bpm } = fields;
  return (
    (word.kind !== undefined && word.kind === kindOf(fields)) ||
    (word.bpm !== undefined && bpm >= word.bpm.min && bpm <= word.bpm.max) ||
    (word.feature === 'midi' && fields.hasMidi) ||
    (word.feature === 'stems' && fields.hasStems) ||
    word.texts.some((text) => {
      const isIn = (field: string): boolean => hasText(field, text, word.isWhole);
      return texts.some(isIn) || keys.some(isIn);
    }) ||
    (word.isNear === true && texts.some((field) => hasNear(field, word.typed)))
  );
}

/** Returns whether the phrase must match whole words, because each of its words does. */
export const isWholePhrase = (words: readonly SearchWord[]): boolean =>
  words.length > 0 && words.every(({ isWhole }) => isWhole);

/**
 * Returns which words to keep if no sample has all of them, as bits. It prefers, in this order: more words, dropping
 * tempos and keys, more samples, earlier words. Returns 0 if no sample has a word as typed, because near misses alone
 * are chance.
 * @param typed the words that samples have as typed, as bits
 * @param samplesWith returns how many samples have all words of some bits
 */
export function wordsToKeep(
  words: readonly SearchWord[],
  typed: number,
  samplesWith: (kept: number) => number,
): number {
  const had = bitsWhere(words, (_, at) => samplesWith(1 << at) > 0);
  const things = bitsWhere(words, ({ bpm, isKey }) => !bpm && !isKey);
  const worth = (kept: number): number => countBits(kept) * 2 ** WORDS_LIMIT + countBits(kept & things);
  const choices = Array.from({ length: 2 ** words.length - 2 }, (_, at) => at + 1)
    .filter((kept) => (kept & typed) !== 0 && (kept & ~had) === 0)
    .sort((a, b) => worth(b) - worth(a));
  let best = { kept: 0, samples: 0 };
  for (const kept of choices) {
    if (worth(kept) < worth(best.kept)) break;
    const samples = samplesWith(kept);
    if (samples > best.samples) best = { kept, samples };
  }
  return best.kept;
}

const countBits = (bits: number): number => bits.toString(2).replaceAll('0', '').length;

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
