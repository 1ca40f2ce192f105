// oxlint-disable-next-line no-restricted-imports -- It wraps this one.
import { type ComponentType, lazy } from 'react';
import { toast } from '../ui/overlays/toast.js';

const RELOADED_FOR = 'reloaded-for';
/** A page that has stood so long may be loaded anew once more. */
export const STANDS_AFTER_MS = 60_000;
const never = new Promise<never>(() => undefined);
/** How many fetched files a visitor waits for, and how many are fetched ahead. */
const pending = { waitedFor: 0, ahead: 0 };

async function counted<Result>(kind: keyof typeof pending, fetch: () => Promise<Result>): Promise<Result> {
  pending[kind] += 1;
  return fetch().finally(() => (pending[kind] -= 1));
}

/** Fetches files ahead. One that fails is fetched again, and reported missing, when it is needed. */
export const fetchAhead = <File>(fetch: () => Promise<File>): Promise<File | undefined> =>
  counted('ahead', fetch).catch(() => undefined);

/** Fetches a file that the visitor waits for. @returns undefined if it cannot be fetched now; the visitor sees why */
export const fetchPart = <File>(fetch: () => Promise<File>): Promise<File | undefined> =>
  counted('waitedFor', fetch).catch(() => undefined);

interface Part<Props> {
  default: ComponentType<Props>;
}

/** What is there is handed over at once: a promise, even a kept one, would have its place drawn empty first. */
const atOnce = <Props>(part: Part<Props>) =>
  // oxlint-disable-next-line unicorn/no-thenable -- That is the whole of it.
  ({ then: (take: (part: Part<Props>) => void) => take(part) }) as Promise<Part<Props>>;

/**
 * A part of the page in a file of its own. One that cannot be fetched now leaves its place empty until it can; React's
 * own `lazy` would crash the page. `load` fetches it ahead; once that is done, it is drawn without waiting.
 */
export function lazyWithPreload<Props>(load: () => Promise<Part<Props>>) {
  let ahead: Part<Props> | undefined;
  // Nothing, if `keepPartsComing` has handled the failure.
  const fetchOrWait = async () => ((await counted('waitedFor', load)) as Part<Props> | undefined) ?? never;
  const Late = lazy<ComponentType<Props>>(() => (ahead ? atOnce(ahead) : fetchOrWait()));
  return Object.assign(Late, {
    load: async () => {
      ahead = await load();
    },
  });
}

/**
 * Runs when a file of the page cannot be fetched. Without a connection the page waits for one. With one, a new
 * version has replaced the files of this one: the page is reloaded, but only once.
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
      });
      window.addEventListener('online', reload, { once: true });
      return;
    }
    if (sessionStorage.getItem(RELOADED_FOR) === window.location.href) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED_FOR, window.location.href);
    reload();
  };
  window.addEventListener('vite:preloadError', fetchFailed);
  const stands = setTimeout(() => sessionStorage.removeItem(RELOADED_FOR), STANDS_AFTER_MS);
  return () => {
    clearTimeout(stands);
    window.removeEventListener('vite:preloadError', fetchFailed);
  };
}
