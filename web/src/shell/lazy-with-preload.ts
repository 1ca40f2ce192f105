// oxlint-disable-next-line no-restricted-imports -- This module wraps `lazy`.
import { type ComponentType, lazy } from 'react';
import { deviceNow } from '../clock.js';
import { toast } from '../ui/overlays/toast.js';

const RELOADED_AT = 'reloaded-at';
export const STANDS_AFTER_MS = 60_000;
const FIRST_PAUSE_MS = 10_000;
/** The number of files that the visitor waits for, and the number of files that are prefetched. */
const pending = { waitedFor: 0, ahead: 0 };

async function counted<Result>(kind: keyof typeof pending, fetch: () => Promise<Result>): Promise<Result> {
  pending[kind] += 1;
  return fetch().finally(() => (pending[kind] -= 1));
}

/** Whether the files of the page can be fetched, from the server or from the service worker. */
export const filesArrive = () => navigator.onLine !== false || Boolean(navigator.serviceWorker?.controller);

/**
 * Prefetches a file, unless there is no connection. Not all browsers repeat a fetch that failed within a page, so a
 * file that is needed later could require a reload.
 */
export const fetchAhead = async <File>(fetch: () => Promise<File>): Promise<File | undefined> =>
  filesArrive() ? counted('ahead', fetch).catch(() => undefined) : undefined;

export const fetchPart = <File>(fetch: () => Promise<File>): Promise<File | undefined> =>
  counted('waitedFor', fetch).catch(() => undefined);

const onceOnline = (act: EventListener) => window.addEventListener('online', act, { once: true });

/**
 * Fetches a file. If there is no connection, fetches it again once there is one. If there is a connection, as after a
 * timeout, fetches it again after a pause.
 */
export async function fetchOnceOnline<File>(fetch: () => Promise<File>): Promise<File> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    // Vite resolves a failed import to undefined if `keepPartsComing` has called `preventDefault`.
    const file = (await counted('waitedFor', fetch)) as File | undefined;
    if (file) return file;
    await new Promise<unknown>((again) => {
      onceOnline(again);
      if (navigator.onLine) setTimeout(again, pauseMs);
    });
  }
}

interface Part<Props> {
  default: ComponentType<Props>;
}

/** Gives React a loaded part at once. With a promise, the place of the part would be empty for a moment. */
const atOnce = <Props>(part: Part<Props>) =>
  // oxlint-disable-next-line unicorn/no-thenable -- React calls `then` of this object.
  ({ then: (take: (part: Part<Props>) => void) => take(part) }) as Promise<Part<Props>>;

/**
 * A part of the page in its own file. If the file cannot be fetched, the part's place stays empty until the file comes
 * or `keepPartsComing` reloads the page. With React's `lazy` alone, the page would crash.
 */
export function lazyWithPreload<Props>(load: () => Promise<Part<Props>>) {
  let ahead: Part<Props> | undefined;
  const Late = lazy<ComponentType<Props>>(() => (ahead ? atOnce(ahead) : fetchOnceOnline(load)));
  return Object.assign(Late, {
    load: async () => {
      ahead = await load();
    },
  });
}

/** Whether the browser would ask before the page is left, because work is unsaved or files upload. */
const hasWork = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** Fetches a style sheet that failed again once there is a connection, because Vite adds each only once. */
function repeatFailedStyle({ target }: Event): void {
  const link = target as HTMLLinkElement;
  if (link.rel === 'stylesheet') onceOnline(() => link.replaceWith(link.cloneNode()));
}

/**
 * Handles files of the page that cannot be fetched. Offline, says so; `fetchOnceOnline` fetches them again. Online,
 * reloads the page, because the server may have a new version or the browser keeps the failure, but at most once a
 * minute, and asks first if work would be lost.
 */
export function keepPartsComing(reload = () => window.location.reload()): () => void {
  let wasOffline = false;
  const fetchFailed = (event: Event) => {
    if (pending.ahead > 0 && pending.waitedFor === 0) return;
    if (!navigator.onLine) {
      wasOffline = true;
      toast({
        title: 'You are offline',
        description: 'This page will load once you are back online.',
        tone: 'info',
        // The service worker answers with a page of the sounds that are stored in this browser.
        ...(navigator.serviceWorker?.controller && {
          action: { label: 'Play what is kept', onPress: reload },
        }),
      });
    } else if (hasWork())
      toast({
        title: 'A part of this page could not be loaded',
        description: 'Reload the page once your work is saved or sent.',
        tone: 'danger',
        action: { label: 'Reload', onPress: reload },
      });
    else {
      const { sessionStorage } = window;
      const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT));
      if (!wasOffline && deviceNow() < reloadedAt + STANDS_AFTER_MS) return;
      wasOffline = false;
      sessionStorage.setItem(RELOADED_AT, `${deviceNow()}`);
      reload();
    }
    event.preventDefault();
  };
  const ended = new AbortController();
  const { signal } = ended;
  window.addEventListener('vite:preloadError', fetchFailed, { signal });
  window.addEventListener('error', repeatFailedStyle, { signal, capture: true });
  return () => ended.abort();
}
