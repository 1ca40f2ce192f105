import type { Sample } from '../../../application/catalogue/contract.js';
import type { DownloadPage, SavedPage } from '../../../application/library/contract.js';
import { mediaAddress } from '../../../application/media/values.js';
import { downloadsQuery, savedQuery } from '../api/account.js';
import { onNewWord } from '../api/newest-word.js';
import { mediaBase } from '../api/page-settings.js';
import { firstPages } from '../api/query-client.js';
import { deviceNow } from '../clock.js';
import { player } from '../player/player.js';
import { savesData } from '../player/preload.js';
import { currentSession, onSessionEvent } from '../session/session.js';
import {
  keepPreview,
  keptPreviews,
  type KeptSound,
  previewKey,
  readLibrary,
  writeLibrary,
} from './kept-library.js';
import { forgetPerson } from './personal-caches.js';

const FRESH_MS = 3_600_000;
/**
 * The library is fetched this long after a change, because the page announces a change before the server has stored
 * it.
 */
const AFTER_CHANGE_MS = 3_000;
/** The list keeps at most the newest 1,000 purchases and the newest 1,000 saved sounds: ten pages of each. */
const PAGES = 10;
/** The number of newest purchases whose previews are fetched even if they were never played in this browser. */
const NEWEST_PURCHASES = 30;

const signedInAs = (): string | undefined => currentSession().user?.id;

/** The tasks run one after another. A failed task is dropped, because a later visit or change starts a new one. */
let work: Promise<unknown> = Promise.resolve();
const enqueue = (task: () => Promise<void>): void => {
  work = work.then(task).catch(() => undefined);
};

/** Keeps the application, the library and its previews for a visit without a connection. */
export function keepForOffline(): void {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return;
  // Without the worker, the client works as before.
  void navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
  const follow = () => enqueue(followPerson);
  onSessionEvent(follow);
  follow();
  let timer: ReturnType<typeof setTimeout> | undefined;
  onNewWord(() => {
    clearTimeout(timer);
    timer = setTimeout(() => enqueue(() => keepLibrary()), AFTER_CHANGE_MS);
  });
  let playedId: string | undefined;
  player.subscribe(() => {
    const { currentlyPlaying, isLoading, track } = player.getState();
    if (!track || currentlyPlaying !== track.id || isLoading || playedId === track.id) return;
    playedId = track.id;
    enqueue(() => keepPreviewOf(track));
  });
}

/** Forgets the previous person, so that the next person sees no data of theirs. Refetches a library after an hour. */
async function followPerson(): Promise<void> {
  const { status, user } = currentSession();
  if (status === 'loading') return;
  const before = await readLibrary();
  if (before?.ownerId !== user?.id) await forgetPerson();
  else if (before && deviceNow() - before.keptAtMs < FRESH_MS) return;
  if (user) await keepLibrary();
}

async function keepLibrary(): Promise<void> {
  const ownerId = signedInAs();
  if (!ownerId) return;
  const [bought, saved] = await Promise.all([
    firstPages<DownloadPage>(downloadsQuery, PAGES),
    firstPages<SavedPage>(savedQuery, PAGES),
  ]);
  if (signedInAs() !== ownerId) return;
  const sounds = soundsOf(bought, saved);
  await writeLibrary({ ownerId, keptAtMs: deviceNow(), sounds });
  if (savesData()) return;
  const kept = await keptPreviews();
  for (const { sample } of sounds.filter((sound) => sound.bought).slice(0, NEWEST_PURCHASES))
    if (sample?.previewUrl && !kept.has(previewKey(sample.previewUrl))) await keepPreviewOf(sample);
}

function soundsOf(bought: DownloadPage[], saved: SavedPage[]): KeptSound[] {
  const rows = bought
    .flatMap(({ items }) => items)
    .map(({ track: title, ...row }) => ({ ...row, title, bought: true }));
  const ownedIds = new Set(rows.map(({ sampleId }) => sampleId));
  const others = saved
    .flatMap(({ items }) => items)
    .flatMap(({ sample, createdAt }) => (sample && !ownedIds.has(sample.id) ? [{ sample, createdAt }] : []))
    .map(({ sample, createdAt }) => ({
      title: sample.title,
      creator: sample.creator.displayName,
      pack: sample.pack.title,
      genre: sample.genre,
      bought: false,
      sample,
      createdAt,
    }));
  return [...rows, ...others]
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .map(({ title, creator, pack, genre, bought, sample }) => ({
      title,
      creator,
      pack,
      genre,
      bought,
      sample,
    }));
}

async function keepPreviewOf({ previewUrl }: Sample): Promise<void> {
  const ownerId = signedInAs();
  if (!previewUrl || !ownerId || (await readLibrary())?.ownerId !== ownerId) return;
  const answer = await fetch(mediaAddress(previewUrl, mediaBase()));
  if (!answer.ok || signedInAs() !== ownerId) return;
  await keepPreview(previewUrl, answer);
  if (signedInAs() !== ownerId) await forgetPerson();
}
