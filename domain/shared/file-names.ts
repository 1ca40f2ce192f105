/** The facts about a sample that a template can put into the name of a file. */
export interface NamedSample {
  creator: string;
  title: string;
  pack: string;
  /** 0 if unknown. */
  bpm: number;
  key: string | null;
  genre: string;
  mood: string;
  instruments: readonly string[];
  kind: string | null;
}

type Placeholder = Exclude<keyof NamedSample, 'instruments'> | 'instrument';

export const PLACEHOLDERS: readonly Placeholder[] = [
  'creator',
  'title',
  'pack',
  'bpm',
  'key',
  'genre',
  'mood',
  'instrument',
  'kind',
];
export const DEFAULT_TEMPLATE = '{creator} - {title}';
export const TEMPLATE_MAX_LENGTH = 200;

/** Control characters, lone surrogates, marks of the writing direction, and characters that file systems refuse. */
const NOT_IN_FILE_NAMES = /[\p{Cc}\p{Cs}\p{Bidi_Control}<>:"/\\|?*]+/gu;
/** Names of devices on Windows, with or without an extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\s*(?:\.|$))/i;
const LONGEST = 150;
/** File systems allow 255 bytes. The remaining bytes are for a number, ` (stems)` and the extension. */
const LONGEST_BYTES = 220;

const clean = (text: string): string =>
  text.normalize('NFC').replaceAll(NOT_IN_FILE_NAMES, ' ').replaceAll(/\s+/g, ' ').trim();

function utf8Bytes(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** Returns one path segment, without anything that file systems refuse, hide or truncate. */
export function safeName(text: string): string {
  let bytes = 0;
  const fits = (character: string) => (bytes += utf8Bytes(character)) <= LONGEST_BYTES;
  const characters = [...clean(text).replace(/^[. ]+/, '')].slice(0, LONGEST);
  const end = characters.findIndex((character) => !fits(character));
  const name = (end < 0 ? characters : characters.slice(0, end)).join('').replace(/[. ]+$/, '');
  return name.replace(RESERVED, '$1_') || 'Untitled';
}

/** Adds numbers to names that a file system may treat as equal to an earlier name. Expects names without extensions. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let n = 2; taken.has(nameKey(free)); n += 1) free = `${name} (${n})`;
    taken.add(nameKey(free));
    return free;
  });
}

/** Returns one key for names that a file system may treat as equal. `ß` and `ẞ` need both conversions of case. */
export const nameKey = (name: string): string =>
  name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

const PLACEHOLDER = /\{([^{}]*)\}/g;
const isPlaceholder = (name: string): name is Placeholder =>
  PLACEHOLDERS.some((placeholder) => placeholder === name);

/** Returns what is wrong with a template, as a sentence. */
export function templateProblem(template: string): string | undefined {
  const names = Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name);
  const unknown = names.find((name) => !isPlaceholder(name));
  if (unknown !== undefined) return `There is no {${unknown}}`;
  if (/[{}]/.test(template.replaceAll(PLACEHOLDER, ''))) return 'A bracket { or } has no partner';
  return names.length === 0 ? 'Use at least one placeholder, such as {title}' : undefined;
}

const GAP = /^(|.*[^\s\-–—_.,;+~|·])([\s\-–—_.,;+~|·]+)([^\s\-–—_.,;+~|·]*)$/s;
const TIGHT_GAP = /^([^([]*)()(.*)$/s;

/**
 * Splits the text between two placeholders: the part that belongs to the first value, the separator, and the part that
 * belongs to the second value. ` BPM (` becomes ` BPM`, a space and `(`.
 */
function splitGap(text: string): { after: string; separator: string; before: string } {
  const [, after = '', separator = '', before = ''] = GAP.exec(text) ?? TIGHT_GAP.exec(text) ?? [];
  return { after, separator, before };
}

/** Returns the name of a sample's file without extension. Leaves out an absent value with the text around it. */
export function fileStem(template: string, sample: NamedSample): string {
  const pieces = template.split(/\{([^{}]*)\}/);
  const head = splitGap(pieces[0] ?? '');
  let name = head.after;
  let { separator, before } = head;
  for (let at = 1; at < pieces.length; at += 2) {
    const isLast = at + 2 >= pieces.length;
    const text = pieces[at + 1] ?? '';
    const gap = isLast ? { after: text, separator: '', before: '' } : splitGap(text);
    const value = clean(valueOf(pieces[at] ?? '', sample));
    if (value !== '') name += (name === '' ? '' : separator) + before + value + gap.after;
    ({ separator, before } = gap);
  }
  return safeName(name);
}

function valueOf(placeholder: string, sample: NamedSample): string {
  if (!isPlaceholder(placeholder)) return '';
  if (placeholder === 'instrument') return sample.instruments[0] ?? '';
  return String(sample[placeholder] || '');
}
