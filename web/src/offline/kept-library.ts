import type { Sample } from '../../../application/catalogue/contract.js';
import { PERSONAL_CACHES } from './personal-caches.js';

/** The largest total size of the kept previews: about an hour of sound. */
const PREVIEWS_LIMIT_BYTES = 64 * 2 ** 20;

const LIST = '/offline-library.json';

/** A sound of the listener's library. */
export interface KeptSound {
  title: string;
  creator: string;
  pack: string;
  genre: string;
  bought: boolean;
  /** Null for a sample that left the catalogue. */
  sample: Sample | null;
}

export interface KeptLibrary {
  ownerId: string;
  keptAtMs: number;
  /** Newest first. */
  sounds: KeptSound[];
}

export async function readLibrary(): Promise<KeptLibrary | undefined> {
  try {
    const cache = await caches.open(PERSONAL_CACHES.library);
    return (await (await cache.match(LIST))?.json()) as KeptLibrary | undefined;
  } catch {
    return undefined;
  }
}

export async function writeLibrary(library: KeptLibrary): Promise<void> {
  const cache = await caches.open(PERSONAL_CACHES.library);
  await cache.put(LIST, Response.json(library));
}

/** The key of a preview is the path of its address, so that it is the same on this site and on the CDN. */
export const previewKey = (address: string): string => new URL(address, location.origin).pathname;

export async function keptPreviews(): Promise<Set<string>> {
  const requests = await (await caches.open(PERSONAL_CACHES.previews)).keys();
  return new Set(requests.map(({ url }) => previewKey(url)));
}

/** Keeps a preview as the newest one. Removes the oldest previews above the limit. */
export async function keepPreview(address: string, preview: Response): Promise<void> {
  const bytes = await preview.blob();
  if (bytes.size > PREVIEWS_LIMIT_BYTES) return;
  const cache = await caches.open(PERSONAL_CACHES.previews);
  const key = previewKey(address);
  await cache.delete(key);
  const headers = { 'content-type': bytes.type, 'content-length': String(bytes.size) };
  await cache.put(key, new Response(bytes, { headers }));
  await removeOldest(cache);
}

/** Removes the oldest previews until the others fit the limit. A cache lists its entries in the order of addition. */
async function removeOldest(cache: Cache): Promise<void> {
  let free = PREVIEWS_LIMIT_BYTES;
  for (const request of [...(await cache.keys())].reverse()) {
    free -= Number((await cache.match(request))?.headers.get('content-length'));
    if (free < 0) await cache.delete(request);
  }
}
