import { EXPANDED_LIMIT_BYTES, FileRefused } from './limits.js';

/**
 * The number of characters that are kept from the text before each new piece. It exceeds the length of any match, so
 * that a match across two pieces is found.
 */
const OVERLAP = 4_096;

/**
 * Finds the first match of each pattern in a stream of UTF-8 text. Keeps only a small part of the text in memory. Does
 * not parse the text, so nested elements and entities cannot fill the memory.
 * @throws FileRefused if the text is too long, or contains a DTD
 */
export async function scanText<Name extends string>(
  text: ReadableStream<Uint8Array<ArrayBuffer>>,
  patterns: Readonly<Record<Name, RegExp>>,
): Promise<Partial<Record<Name, RegExpExecArray>>> {
  const found: Partial<Record<Name, RegExpExecArray>> = {};
  const missing = new Set(Object.keys(patterns) as Name[]);
  const decoder = new TextDecoder();
  const reader = text.getReader();
  let bytes = 0;
  let seen = '';
  try {
    while (missing.size > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes > EXPANDED_LIMIT_BYTES) throw new FileRefused('The file expands to more than 256 MB.');
      seen = seen.slice(-OVERLAP) + decoder.decode(value, { stream: true });
      if (/<!(DOCTYPE|ENTITY)/i.test(seen))
        throw new FileRefused('The file defines XML entities, which are not read.');
      for (const name of missing) {
        const match = patterns[name].exec(seen);
        if (!match) continue;
        found[name] = match;
        missing.delete(name);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return found;
}
