/** NUL, which no column of text takes, and halves of characters, which no UTF-8 can write. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const ALL_UNSTORABLE = /[\0\p{Cs}]/gu;
/** The same as JSON writes them, behind an even number of backslashes. */
const UNSTORABLE_IN_JSON = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][\da-f]{2})/i;

/** Whether a text can be stored and comes back as it was. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** The same text without what cannot be stored. */
export const storable = (text: string): string => text.replaceAll(ALL_UNSTORABLE, '\ufffd');

/** Whether all texts in a JSON text can be stored, if whole characters are written unescaped. */
export const isStorableJson = (json: string): boolean =>
  !json.includes('\\u') || !UNSTORABLE_IN_JSON.test(json);

/** At most this many UTF-16 units, and no half of a character at the end. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/\p{Cs}$/u, '');

/** The path to text that cannot be stored in a value from outside; undefined if there is none. */
export function unstorablePath(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = isStorable(key) ? unstorablePath(member, [...path, key]) : [...path, storable(key)];
    if (found) return found;
  }
  return undefined;
}
