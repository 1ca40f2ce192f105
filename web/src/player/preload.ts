import type { Sample } from '../../../application/catalogue/contract.js';
import { mediaAddress } from '../../../application/media/values.js';
import { mediaBase } from '../api/page-settings.js';
import { player } from './player.js';

const KEPT = 24;
const HOVER_PAUSE_MS = 60;
const asked = new Map<string, AbortController>();

function fetchAhead(url: string): void {
  if (asked.has(url)) return;
  const request = new AbortController();
  asked.set(url, request);
  if (asked.size > KEPT) asked.delete(asked.keys().next().value ?? '');
  const { signal } = request;
  // Fills the browser's cache, so that the audio element gets the file at once.
  void fetch(url, { priority: 'low', credentials: 'same-origin', signal } as RequestInit)
    .then((response) => response.arrayBuffer())
    .catch(() => asked.delete(url));
}

export const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** The length of a sound in milliseconds, as its file says. @throws if the browser cannot read the file */
export const durationOf = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const audio = new Audio();
    audio.preload = 'metadata';
    audio.addEventListener('loadedmetadata', () =>
      Number.isFinite(audio.duration) ? resolve(audio.duration * 1_000) : reject(new Error('endless')),
    );
    audio.addEventListener('error', () => reject(new Error('unreadable')));
    audio.src = address;
  });

const addressOf = (sample: Sample | undefined): string | undefined =>
  sample?.previewUrl ? mediaAddress(sample.previewUrl, mediaBase()) : undefined;

/** Fetches the preview of a sound that will probably play next; never on a data-saving connection. */
export function preload(sample: Sample | undefined): void {
  const address = addressOf(sample);
  if (!sample || !address || savesData() || player.prepare(sample)) return;
  fetchAhead(address);
}

export function preloadSoon(sample: Sample): () => void {
  const timer = setTimeout(() => preload(sample), HOVER_PAUSE_MS);
  return () => clearTimeout(timer);
}

let soon: ReturnType<typeof setTimeout> | undefined;

/**
 * Fetches the previews of the next and the previous sound of a list after a short pause. Cancels the requests for
 * all others.
 */
export function preloadNeighbours(queue: readonly Sample[], sample: Sample): void {
  const at = queue.findIndex(({ id }) => id === sample.id);
  if (at < 0) return;
  clearTimeout(soon);
  const near = queue.slice(Math.max(0, at - 1), at + 2).map(addressOf);
  for (const [url, request] of asked) if (!near.includes(url)) request.abort();
  player.abandonPrepared((url) => !near.includes(url));
  soon = setTimeout(() => {
    preload(queue[at + 1]);
    preload(queue[at - 1]);
  }, HOVER_PAUSE_MS);
}
