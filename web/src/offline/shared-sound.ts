import { OWN_SOUND_MAX_MB } from '../../../application/catalogue/values.js';
import { PERSONAL_CACHES } from './personal-caches.js';

const PLACE = '/shared-sound';
/** The name of the file field in `share_target` of the manifest. */
const FIELD = 'sound';
/** The header with the name of the file. The name is encoded, because headers cannot contain all letters. */
const NAME = 'file-name';
const REFUSED = 'refused';

export type SharedSound = { name: string } & ({ refused: string } | { refused: null; file: Blob });

function refusalOf({ type, size }: File): string | undefined {
  if (!type.startsWith('audio/')) return 'It is not a sound. Share a WAV, MP3, FLAC or M4A file.';
  return size > OWN_SOUND_MAX_MB * 2 ** 20 ? `It is larger than ${OWN_SOUND_MAX_MB} MB.` : undefined;
}

/** Stores a file from another app until the page takes it; for a refused file, only its name and the reason. */
export async function keepSharedSound(form: FormData): Promise<void> {
  const file = form.get(FIELD);
  const cache = await caches.open(PERSONAL_CACHES.shared);
  await cache.delete(PLACE);
  if (!(file instanceof File)) return;
  const refused = refusalOf(file);
  const headers = { [NAME]: encodeURIComponent(file.name), ...(refused && { [REFUSED]: refused }) };
  await cache.put(PLACE, new Response(refused ? '' : file, { headers }));
}

/** Returns the file that another app shared, and removes it from the cache. Without a file, returns a refusal. */
export async function takeSharedSound(): Promise<SharedSound> {
  const cache = await caches.open(PERSONAL_CACHES.shared);
  const kept = await cache.match(PLACE);
  await cache.delete(PLACE);
  if (!kept) return { name: 'the shared file', refused: 'It did not arrive. Share it again.' };
  const name = decodeURIComponent(kept.headers.get(NAME) ?? '');
  const refused = kept.headers.get(REFUSED);
  return refused ? { name, refused } : { name, refused: null, file: await kept.blob() };
}
