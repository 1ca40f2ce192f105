import { createHash } from 'node:crypto';

/**
 * Names of the files and folders of keys:
 *
 * - Every name is plain ASCII. Other characters are percent-encoded, so that no file system merges two keys by
 *   Unicode normalisation.
 * - Object files end in `%object`. No encoded folder name can end that way, so `a` and `a/b` can coexist.
 * - Names that are too long for a file system become a hash. The true name is then in the object itself, or in the
 *   file `%name` of the folder.
 */
export const OBJECT_SUFFIX = '%object';
export const FOLDER_NAME_FILE = '%name';
const HASH_MARK = '%~';
const LONGEST_NAME = 200;

function encodeSegment(segment: string): string {
  const encoded = encodeURIComponent(segment)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, ' ')
    // A leading dot would hide the file, and Windows drops a dot or space at the end.
    .replace(/^\./, '%2E')
    .replace(/[. ]$/, (character) => (character === '.' ? '%2E' : '%20'));
  if (encoded.length <= LONGEST_NAME) return encoded;
  return HASH_MARK + createHash('sha256').update(segment).digest('hex');
}

export function keyToNames(key: string): { folders: Array<{ name: string; segment: string }>; file: string } {
  const segments = key.split('/');
  const last = segments.pop() as string;
  return {
    folders: segments.map((segment) => ({ name: encodeSegment(segment), segment })),
    file: encodeSegment(last) + OBJECT_SUFFIX,
  };
}

/** Returns whether the name is a hash. A hash cannot be decoded: read the object, or `%name` in the folder, instead. */
export function isHashed(name: string): boolean {
  return name.startsWith(HASH_MARK);
}

/** Decodes the name of a file or folder. Returns undefined for invalid encoding, which this store never writes. */
export function segmentFromName(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** Compares in S3's order: by the bytes of UTF-8, which differs from JavaScript's order beyond U+FFFF. */
export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
