// oxlint-disable-next-line no-restricted-imports -- This module wraps `lazy`.
import { type ComponentType, lazy } from 'react';
import { toast } from '../ui/overlays/toast.js';

const RELOADED_FOR = 'reloaded-for';
export const STANDS_AFTER_MS = 60_000;
const never = new Promise<never>(() => undefined);
/** The number of files that the visitor waits for, and the number of files that are prefetched. */
const pending = { waitedFor: 0, ahead: 0 };

async function counted<Result>(kind: keyof typeof pending, fetch: () => Promise<Result>): Promise<Result> {
  pending[kind] += 1;
  return fetch().finally(() => (pending[kind] -= 1));
}

/** Whether the files of the page can be fetched, from the server or from the service worker. */
export const filesArrive = () => navigator.onLine !== false || Boolean(navigator.serviceWorker?.controller);

/**
 * Prefetches a file, unless there is no connection. If a fetch failed once, browsers never repeat it within this page,
 * so a file that is needed later would require a reload.
 */
export const fetchAhead = async <File>(fetch: () => Promise<File>): Promise<File | undefined> =>
  filesArrive() ? counted('ahead', fetch).catch(() => undefined) : undefined;

export const fetchPart = <File>(fetch: () => Promise<File>): Promise<File | undefined> =>
  counted('waitedFor', fetch).catch(() => undefined);

interface Part<Props> {
  default: ComponentType<Props>;
}

/** Gives React a loaded part at once. With a promise, the place of the part would be empty for a moment. */
const atOnce = <Props>(part: Part<Props>) =>
  // oxlint-disable-next-line unicorn/no-thenable -- React calls `then` of this object.
  ({ then: (take: (part: Part<Props>) => void) => take(part) }) as Promise<Part<Props>>;

/**
 * A part of the page in its own file. If the file cannot be fetched, the part's place stays empty while
 * `keepPartsComing` waits or reloads. With React's `lazy` alone, the page would crash.
 */
export function lazyWithPreload<Props>(load: () => Promise<Part<Props>>) {
  let ahead: Part<Props> | undefined;
  // Vite resolves a failed import to undefined if `keepPartsComing` has called `preventDefault`.
  const fetchOrWait = async () => ((await counted('waitedFor', load)) as Part<Props> | undefined) ?? never;
  const Late = lazy<ComponentType<Props>>(() => (ahead ? atOnce(ahead) : fetchOrWait()));
  return Object.assign(Late, {
    load: async () => {
      ahead = await load();
    },
  });
}

/**
 * Handles files of the page that cannot be fetched. Offline, waits for a connection and then reloads the page. Online,
 * reloads the page once, because the server may have a new version.
 */
export function keepPartsComing(reload = () => window.location.reload()): () => void {
  const fetchFailed = (event: Event) => {
    if (pending.ahead > 0 && pending.waitedFor === 0) return;
    if (!navigator.onLine) {
      event.preventDefault();
      toast({
        title: 'You are offline',
        description: 'This page will load once you are back online.',
        tone: 'info',
        // The service worker answers with a page of the sounds that are stored in this browser.
        ...(navigator.serviceWorker?.controller && {
          action: { label: 'Play what is kept', onPress: reload },
        }),
      });
      window.addEventListener('online', reload, { once: true });
      return;
    }
    if (window.sessionStorage.getItem(RELOADED_FOR) === window.location.href) return;
    event.preventDefault();
    window.sessionStorage.setItem(RELOADED_FOR, window.location.href);
    reload();
  };
  window.addEventListener('vite:preloadError', fetchFailed);
  const stands = setTimeout(() => window.sessionStorage.removeItem(RELOADED_FOR), STANDS_AFTER_MS);
  return () => {
    clearTimeout(stands);
    window.removeEventListener('vite:preloadError', fetchFailed);
  };
}
