import { paths } from '../paths.js';

/** A path of this site, else the start page: a foreign address must never be followed. */
export function safeReturn(asked: string | null | undefined): string {
  if (!asked || !/^\/(?![/\\])/.test(asked)) return paths.home;
  const { origin, pathname, search, hash } = new URL(asked, window.location.origin);
  return origin === window.location.origin ? pathname + search + hash : paths.home;
}
