/** NUL, which a text column rejects, and lone surrogates, which UTF-8 cannot represent. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const ALL_UNSTORABLE = /[\0\p{Cs}]/gu;
/** NUL and lone surrogates as JSON escapes. An escape follows an even number of backslashes. */
const UNSTORABLE_IN_JSON = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][\da-f]{2})/i;

export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

export const storable = (text: string): string => text.replaceAll(ALL_UNSTORABLE, '\ufffd');

/** Returns whether all texts in a JSON text can be stored. Expects escapes as `JSON.stringify` writes them. */
export const isStorableJson = (json: string): boolean =>
  !json.includes('\\u') || !UNSTORABLE_IN_JSON.test(json);

/** Returns at most this many UTF-16 units. Drops a lone surrogate at the end, so that no character is cut in half. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/\p{Cs}$/u, '');

/**
 * Searches the input `value` for texts that cannot be stored. Returns the path of the first one, or undefined if
 * there is none.
 */
export function unstorablePath(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = isStorable(key) ? unstorablePath(member, [...path, key]) : [...path, storable(key)];
    if (found) return found;
  }
  return undefined;
}

/** Invisible characters that are removed from written text, such as soft hyphens and zero-width spaces. */
const WITHOUT_LOOK = /[\u00ad\u200b\u2060\ufeff]/gu;
/** Flag emoji of regions such as Scotland. They contain invisible letters that spell the region. */
const SPELLED_FLAG = /\u{1f3f4}[\u{e0030}-\u{e007a}]{1,10}\u{e007f}/gu;
/** A zero-width joiner or non-joiner that text needs: in an emoji, or between letters of scripts such as Arabic. */
const JOINED =
  /(?<=(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])[\p{L}\p{M}]|[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])(?:\u200c|\u200d)(?=(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])[\p{L}\p{M}]|\p{Extended_Pictographic})/gu;
/** Marks that reverse the direction of text. */
const TURNING = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;
/** Invisible characters, and characters that Unicode reserves for private or internal use. */
const UNSEEN =
  /[\u115f\u1160\u180e\u200c-\u200d\u2028\u2029\u2061-\u2064\u206a-\u206f\u2800\u3164\uffa0\ufff9-\ufffb\p{Co}\p{NChar}\u{e0000}-\u{e007f}]/u;
const CONTROL = /\p{Cc}/u;
const CONTROL_IN_LINES = /[^\P{Cc}\n\t]/u;
const PILED = /\p{M}{5}/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Trims, composes (NFC), unifies line ends and drops invisible characters, so that texts that look equal are equal. */
export const asWritten = (text: string): string =>
  text.normalize('NFC').replaceAll(/\r\n?/g, '\n').replaceAll(WITHOUT_LOOK, '').trim();

/** Returns why a text is refused: it has invisible parts, or disturbs text beside it. Undefined if it is accepted. */
export function unreadable(text: string, lines: 'one' | 'several'): string | undefined {
  const rest = text.replaceAll(SPELLED_FLAG, '🏴').replaceAll(JOINED, '');
  if (TURNING.test(rest)) return 'contains marks that reverse the direction of text';
  if (lines === 'one' && /[\n\u2028\u2029]/.test(rest)) return 'must be one line';
  if (UNSEEN.test(rest) || (lines === 'one' ? CONTROL : CONTROL_IN_LINES).test(rest))
    return 'contains invisible characters';
  if (PILED.test(rest)) return 'stacks too many accents';
  if (text !== '' && !VISIBLE.test(rest)) return 'has no visible characters';
  return undefined;
}

/** Returns the value of a JSON text; undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
/** Returns a day by UTC, such as "6 Dec 2025". */
export const dayOf = (time: Date | string): string => day.format(new Date(time));
