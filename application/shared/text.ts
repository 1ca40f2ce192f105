/** NUL, which a text column rejects, and lone surrogates, which UTF-8 cannot represent. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const ALL_UNSTORABLE = /[\0\p{Cs}]/gu;
/** The same in JSON escapes, after an even number of backslashes. */
const UNSTORABLE_IN_JSON = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][\da-f]{2})/i;

/** Returns whether a text can be stored and read back unchanged. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** Replaces characters that cannot be stored. */
export const storable = (text: string): string => text.replaceAll(ALL_UNSTORABLE, '\ufffd');

/** Returns whether all texts in a JSON text can be stored. Expects escapes as `JSON.stringify` writes them. */
export const isStorableJson = (json: string): boolean =>
  !json.includes('\\u') || !UNSTORABLE_IN_JSON.test(json);

/** Returns at most this many UTF-16 units. Drops a lone surrogate at the end, so that no character is cut in half. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/\p{Cs}$/u, '');

/** Returns the path to the first text in an outside value that cannot be stored, or undefined. */
export function unstorablePath(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = isStorable(key) ? unstorablePath(member, [...path, key]) : [...path, storable(key)];
    if (found) return found;
  }
  return undefined;
}
