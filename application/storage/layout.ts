/**
 * The layout of the bucket as the outside sees it:
 *
 *     Users/{creator}/Packs/{slug}/pack.json, covers/…, samples/…
 *     Users/{creator}/Profile/avatar-{number}.{ext}, profile.json
 *     avatars/{userId}.{ext}
 */
const ROOTS = ['Users', 'avatars'];

const CONTENT_TYPES: Record<string, string> = {
  json: 'application/json',
  wav: 'audio/wav',
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

/** Without leading, trailing and double slashes. */
export function trimPath(path: string): string {
  return path.split('/').filter(Boolean).join('/');
}

/** A path as it is compared: trimmed, lowercase, without leading `Users/`; empty when it names no creator's place. */
export function normalisePath(path: string): string {
  const segments = trimPath(path).toLowerCase().split('/').filter(Boolean);
  while (segments[0] === 'users') segments.shift();
  const normalised = segments.join('/');
  return normalised === 'peaks' ? '' : normalised;
}

/** Whether a trimmed path lies in the layout; the proxy shows nothing else. */
export function isInLayout(path: string): boolean {
  return ROOTS.includes(path.split('/')[0] as string);
}

/** Whether a listing of `folder` shows this entry; hidden files, placeholders and nameless folders are skipped. */
export function isListed(folder: string, name: string): boolean {
  if (folder === '') return ROOTS.includes(name);
  return !name.startsWith('.') && normalisePath(name) !== '';
}

/** What anybody may fetch: a pack's description, its covers, profiles. Everything else is somebody's original. */
export function isPublic(path: string): boolean {
  return (
    /^Users\/[^/]+\/Packs\/[^/]+\/(pack\.json|covers\/[^/]+)$/.test(path) ||
    /^Users\/[^/]+\/Profile\/[^/]+$/.test(path) ||
    /^avatars\/[^/]+$/.test(path)
  );
}

/** The creator and pack whose folder a trimmed path is or lies in; `pack` is missing for the folder of all packs. */
export function packOf(path: string): { creator: string; pack?: string } | undefined {
  const [root, creator, kind, pack] = path.split('/');
  if (root !== 'Users' || !creator || kind !== 'Packs') return undefined;
  return { creator, ...(pack === undefined ? {} : { pack }) };
}

/** The type that the name suggests; listings of S3 do not include it. */
export function contentTypeOf(name: string): string {
  return CONTENT_TYPES[/\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ''] ?? 'application/octet-stream';
}

const OBJECT_ADDRESS = '/api/storage/object';

/** The address at which entitled people get an object of the bucket. */
export const fileUrlOf = (key: string): string =>
  `${OBJECT_ADDRESS}?bucket=Sounds&path=${encodeURIComponent(key)}`;

/** The key that such an address names; undefined for any other address. */
export function keyOfFileUrl(fileUrl: string): string | undefined {
  const at = fileUrl.indexOf('?');
  if (at < 0 || !fileUrl.slice(0, at).endsWith(OBJECT_ADDRESS)) return undefined;
  const path = new URLSearchParams(fileUrl.slice(at)).get('path');
  return path ? trimPath(path) : undefined;
}
