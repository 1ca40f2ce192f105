/** Makes a title from a file name: drops the extension, and replaces underscores and hyphens with spaces. */
export function titleOf(filename: string): string {
  const words = filename
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim();
  return words ? words[0]?.toUpperCase() + words.slice(1) : 'Sample';
}

/** SHA-256 in hexadecimal; undefined if the browser cannot compute it, such as over plain http. */
export async function hashFile(file: File): Promise<string | undefined> {
  try {
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return undefined;
  }
}

/** Compares names as people do: "take 2" comes before "take 10". */
export const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
