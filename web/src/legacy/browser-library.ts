import type { ImportedDownload, SavedItem } from '../../../application/library/contract.js';
import {
  ADDRESS_MAX_LENGTH,
  IMPORT_INSTRUMENTS_LIMIT,
  IMPORT_MAX_BPM,
  TEXT_MAX_LENGTH,
} from '../../../application/library/values.js';
import { api } from '../api/api.js';
import { say } from '../api/newest-word.js';
import { keep, kept } from '../kept.js';
import { currentSession, onSessionEvent } from '../session/session.js';

/**
 * Keys under which earlier versions of the site stored the library in the browser. Items that guests save are still
 * stored under the first key. Each key can also have the user's id appended.
 */
const SAVED_KEY = 'savedItems';
const DOWNLOADS_KEY = 'downloads';
const BATCH_ITEMS = 200;
/** The most saved items of a guest that the browser keeps. */
const GUEST_ITEMS = 1_000;

const SAVED_TEXTS = [
  'id',
  'title',
  'name',
  'artist',
  'creator',
  'pack',
  'genre',
  'artwork',
  'url',
  'fileUrl',
  'duration',
  'keySignature',
  'mood',
] as const;

type Thing = Record<string, unknown>;

const textOf = (value: unknown, longest = TEXT_MAX_LENGTH): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;

function savedItem(thing: Thing): SavedItem | undefined {
  const texts = Object.fromEntries(
    SAVED_TEXTS.flatMap((name) => (textOf(thing[name]) ? [[name, thing[name]]] : [])),
  );
  if (!('id' in texts || 'fileUrl' in texts || 'title' in texts || 'name' in texts)) return undefined;
  const bpm = Number(thing.bpm);
  const instruments = Array.isArray(thing.instruments)
    ? thing.instruments
        .filter((name): name is string => textOf(name) !== undefined)
        .slice(0, IMPORT_INSTRUMENTS_LIMIT)
    : [];
  return {
    ...texts,
    type: thing.type === 'pack' || thing.type === 'track' ? thing.type : 'sample',
    ...(thing.bpm !== undefined && bpm >= 0 && bpm <= IMPORT_MAX_BPM ? { bpm } : {}),
    ...(instruments.length > 0 ? { instruments } : {}),
  };
}

function downloadOf(thing: Thing): ImportedDownload | undefined {
  const url = textOf(thing.url, ADDRESS_MAX_LENGTH) ?? textOf(thing.fileUrl, ADDRESS_MAX_LENGTH);
  if (!url) return undefined;
  const at = new Date(String(thing.created_at ?? thing.createdAt ?? thing.downloadedAt ?? ''));
  const texts = {
    filename: textOf(thing.filename),
    pack: textOf(thing.pack),
    track: textOf(thing.track) ?? textOf(thing.title),
    creator: textOf(thing.creator) ?? textOf(thing.artist),
    artwork: textOf(thing.artwork, ADDRESS_MAX_LENGTH),
    createdAt: Number.isNaN(at.getTime()) ? undefined : at.toISOString(),
  };
  return { url, ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)) };
}

/** Returns the valid items of the list under a key; none if the stored value is no list. */
function read<Item>(key: string, shape: (thing: Thing) => Item | undefined): Item[] {
  const stored = kept(key);
  return (Array.isArray(stored) ? stored : []).flatMap((thing: unknown) => {
    const item = typeof thing === 'object' && thing !== null ? shape(thing as Thing) : undefined;
    return item ? [item] : [];
  });
}

async function move<Item>(
  key: string,
  shape: (thing: Thing) => Item | undefined,
  send: (items: Item[]) => Promise<unknown>,
): Promise<boolean> {
  const before = window.localStorage.getItem(key);
  if (before === null) return false;
  const items = read(key, shape);
  for (let start = 0; start < items.length; start += BATCH_ITEMS)
    await send(items.slice(start, start + BATCH_ITEMS));
  // Removes the list unless another tab has changed it meanwhile. The next session then moves it again.
  if (window.localStorage.getItem(key) === before) window.localStorage.removeItem(key);
  return items.length > 0;
}

/** Stores an item that a guest saves. The next sign-in moves it into the account. */
export function keepForAccount(item: SavedItem): void {
  const others = read(SAVED_KEY, savedItem).filter(({ id }) => id !== item.id);
  keep(SAVED_KEY, [item, ...others].slice(0, GUEST_ITEMS));
}

const moved = new Set<string>();

/** Moves the library in this browser to the server, once per session and user. Its downloads grant no ownership. */
async function moveBrowserLibrary(userId: string): Promise<void> {
  if (moved.has(userId)) return;
  moved.add(userId);
  for (const suffix of ['', `_${userId}`]) {
    try {
      const saved = await move(SAVED_KEY + suffix, savedItem, (items) =>
        api('POST /api/library/saved/import', { body: { items } }),
      );
      if (saved) say('saved', [], true, ['GET /api/library/saved']);
      await move(DOWNLOADS_KEY + suffix, downloadOf, (items) =>
        api('POST /api/library/downloads/import', { body: { items } }),
      );
    } catch {
      console.warn('The library of this browser was not moved to the account yet.');
    }
  }
}

/** Moves the browser's library to the server whenever a visitor is signed in, until the returned function is called. */
export function keepBrowserLibraryMoved(): () => void {
  const run = () => {
    const { status, user } = currentSession();
    if (status === 'signed-in' && user) void moveBrowserLibrary(user.id);
  };
  run();
  return onSessionEvent((event) => {
    if (event === 'signed-out') moved.clear();
    else run();
  });
}
