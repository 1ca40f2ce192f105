/**
 * The layout of the bucket, as clients see it:
 *
 *     Users/{creator}/Packs/{slug}/pack.json, covers/…, samples/…
 *     Users/{creator}/Profile/avatar-{number}.{ext}, profile.json
 *     avatars/{userId}.{ext}
 */
const ROOTS = ['Users', 'avatars'];

const CONTENT_TYPES: Record<string, string> = {
  json: 'application/json',
  wav: 'audio/wav',
  aiff: 'audio/aiff',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  mid: 'audio/midi',
  zip: 'application/zip',
};

export function trimPath(path: string): string {
  return path.split('/').filter(Boolean).join('/');
}

/**
 * Returns the form of a path that is used for comparison: trimmed, lowercase, without leading
 * `Users/`. Empty for the reserved name `peaks`.
 */
export function normalisePath(path: string): string {
  const segments = trimPath(path).toLowerCase().split('/').filter(Boolean);
  while (segments[0] === 'users') segments.shift();
  const normalised = segments.join('/');
  return normalised === 'peaks' ? '' : normalised;
}

/** Returns whether a trimmed path is in the layout. The proxy shows nothing else. */
export function isInLayout(path: string): boolean {
  return ROOTS.includes(path.split('/')[0] as string);
}

/** Returns whether a listing of `folder` shows an entry. Skips hidden files, and names that `normalisePath` empties. */
export function isListed(folder: string, name: string): boolean {
  if (folder === '') return ROOTS.includes(name);
  return !name.startsWith('.') && normalisePath(name) !== '';
}

/** Returns whether a file is public: a pack's description and covers, profiles, avatars. */
export function isPublic(path: string): boolean {
  return (
    /^Users\/[^/]+\/Packs\/[^/]+\/(pack\.json|covers\/[^/]+)$/.test(path) ||
    /^Users\/[^/]+\/Profile\/[^/]+$/.test(path) ||
    /^avatars\/[^/]+$/.test(path)
  );
}

/** Returns the creator and pack of a trimmed path in or at a pack's folder. `pack` is absent for `Packs` itself. */
export function packOf(path: string): { creator: string; pack?: string } | undefined {
  const [root, creator, kind, pack] = path.split('/');
  if (root !== 'Users' || !creator || kind !== 'Packs') return undefined;
  return { creator, ...(pack === undefined ? {} : { pack }) };
}

/** Returns the content type for a file name, because listings of S3 do not include it. */
export function contentTypeOf(name: string): string {
  return CONTENT_TYPES[/\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ''] ?? 'application/octet-stream';
}

/** Decodes a part of an address. A text that is not percent-encoded stays as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const OBJECT_ADDRESS = '/api/storage/object';

/** Returns the address from which entitled users fetch an object. */
export const fileUrlOf = (key: string): string =>
  `${OBJECT_ADDRESS}?bucket=Sounds&path=${encodeURIComponent(key)}`;

/** Returns the key in an address of `fileUrlOf`; undefined for any other address. */
export function keyOfFileUrl(fileUrl: string): string | undefined {
  const at = fileUrl.indexOf('?');
  if (at < 0 || !fileUrl.slice(0, at).endsWith(OBJECT_ADDRESS)) return undefined;
  const path = new URLSearchParams(fileUrl.slice(at)).get('path');
  return path ? trimPath(path) : undefined;
}
