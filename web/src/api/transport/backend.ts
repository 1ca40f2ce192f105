import { inHead } from '../page-settings.js';

/** The API's origin; empty for the origin of this page; undefined if the configured origin is not allowed. */
export type Backend = { origin: string } | undefined;

/**
 * Reads `<meta name="offcut-backend" content="https://api.…">`. Without it, the page's own origin is the API. Another
 * origin must use https and be on the page's own domain, because it receives the session.
 */
export function readBackend({ hostname: own }: Pick<Location, 'hostname'>): Backend {
  const configured = inHead('backend');
  if (configured === undefined) return { origin: '' };
  try {
    const { protocol, hostname, origin } = new URL(configured);
    const domain = own.replace(/^www\./, '');
    const isOurs = hostname === domain || hostname.endsWith(`.${domain}`);
    return protocol === 'https:' && isOurs ? { origin } : undefined;
  } catch {
    return undefined;
  }
}

export const backend = (): Backend => readBackend(window.location);

export const apiAddress = (path: string): string => `${backend()?.origin ?? ''}${path}`;

/** Warns after a request without an answer. The usual cause is that the API does not allow this page's origin. */
export function hintAtOrigins(origin: string): void {
  if (origin === '') return;
  console.warn(`No answer from ${origin}. Add ${window.location.origin} to its allowed origins.`);
}

/** A channel to the other tabs; null in browsers without one, and on the server, which has no tabs. */
export function openChannel(name: string): BroadcastChannel | null {
  if (typeof document === 'undefined' || typeof BroadcastChannel === 'undefined') return null;
  return new BroadcastChannel(name);
}
