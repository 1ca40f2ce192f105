import { NOTES, type MusicalKey, type Note } from '../catalogue/vocabulary.js';

export interface ParsedFileName {
  /** The file name without extension, tempo and key, and with spaces for underscores and hyphens; `Sample` if empty. */
  title: string;
  bpm?: number;
  key?: MusicalKey;
}

const TEMPO = /^(\d{2,3})\s?bpm$/i;
const BARE_TEMPO = /^(\d{2,3})$/;
const KEY = /^([A-Ga-g])([#♯b♭]?|sharp|flat)(maj|major|min|minor|m)?$/;
const TEMPO_MIN_BPM = 40;
const TEMPO_MAX_BPM = 300;

/**
 * Reads names such as `Felt_Keys_90bpm_Cmin.wav`. A bare number is a tempo only beside a key, and a bare letter is a
 * key only beside a tempo: `Kick 808` and `Plan B` stay titles. A leading letter is an article unless the tempo follows
 * it: `A Tape Hiss 90bpm`.
 */
export function parseFileName(filename: string): ParsedFileName {
  const name = filename.replace(/^.*[/\\]/, '').replace(/\.[A-Za-z0-9]{1,5}$/, '');
  const words = joinSplitWords(name.split(/[_\-\s]+/).filter(Boolean));
  const tempoAt = words.findIndex((word) => TEMPO.test(word));
  const keyAt = words.findLastIndex((word) => statedKey(word) !== undefined);
  const bareTempoAt = tempoAt < 0 && keyAt >= 0 ? words.findLastIndex(isBareTempo) : -1;
  const bareKeyAt =
    keyAt < 0 && tempoAt >= 0
      ? words.findLastIndex((word, at) => keyOf(word) !== undefined && (at > 0 || tempoAt === 1))
      : -1;
  const tempo = words[Math.max(tempoAt, bareTempoAt)];
  const key = words[Math.max(keyAt, bareKeyAt)];
  const used = new Set([tempoAt, keyAt, bareTempoAt, bareKeyAt]);
  const title = words.filter((_, index) => !used.has(index)).join(' ');
  const bpm = tempo && Number(/\d+/.exec(tempo)?.[0]);
  const parsedKey = key && keyOf(key);
  return { title: title || 'Sample', ...(bpm && { bpm }), ...(parsedKey && { key: parsedKey }) };
}

const isBareTempo = (word: string): boolean =>
  BARE_TEMPO.test(word) && Number(word) >= TEMPO_MIN_BPM && Number(word) <= TEMPO_MAX_BPM;

/** Joins `120 bpm` and `C minor` into one word each. */
function joinSplitWords(words: string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const joins =
      before !== undefined &&
      ((/^bpm$/i.test(word) && BARE_TEMPO.test(before)) ||
        (/^(maj|major|min|minor)$/i.test(word) && /^[A-Ga-g][#♯b♭]?$/.test(before)));
    if (joins) joined[joined.length - 1] = before + word;
    else joined.push(word);
  }
  return joined;
}

/** Returns the key if a word can only be a key, because it has a scale or a sharp, such as `Cmin` or `F#`. */
const statedKey = (word: string): MusicalKey | undefined =>
  /^[A-Ga-g]([#♯b♭]|sharp|flat)?(maj|major|min|minor|m)$/i.test(word) || /^[A-G][#♯]$/.test(word)
    ? keyOf(word)
    : undefined;

function keyOf(word: string): MusicalKey | undefined {
  const match = KEY.exec(word.replace(/(maj|min)(or)?$/i, (scale) => scale.toLowerCase()));
  if (!match) return undefined;
  const [, letter = '', accidental = '', scale = ''] = match;
  const sign = /^(#|♯|sharp)$/.test(accidental) ? '#' : accidental === '' ? '' : 'b';
  const note = `${letter.toUpperCase()}${sign}`;
  if (!NOTES.includes(note as Note)) return undefined;
  return `${note as Note} ${/^m(in|inor)?$/.test(scale) ? 'Minor' : 'Major'}`;
}
