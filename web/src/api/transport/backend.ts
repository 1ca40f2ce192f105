/** The API's origin: this one (an empty text) or another; undefined if the configured one is not allowed. */
export type Backend = { origin: string } | undefined;

/**
 * Reads `<meta name="offcut-backend" content="https://api.…">`. Without it the page's own origin answers. Another
 * place must be https and on the page's own domain: a session is sent there.
 */
export function readBackend(page: Document, location: Pick<Location, 'hostname'>): Backend {
  const configured = page.querySelector<HTMLMetaElement>('meta[name=offcut-backend]')?.content;
  if (configured === undefined) return { origin: '' };
  try {
    const { protocol, hostname, origin } = new URL(configured);
    const domain = location.hostname.replace(/^www\./, '');
    const isOurs = hostname === domain || hostname.endsWith(`.${domain}`);
    return protocol === 'https:' && isOurs ? { origin } : undefined;
  } catch {
    return undefined;
  }
}

/** The backend of this page. */
export const backend = (): Backend => readBackend(document, window.location);

/**
 * The address for a link to the API that the browser itself follows, for instance to a file.
 * @param path of the API
 */
export const apiAddress = (path: string): string => `${backend()?.origin ?? ''}${path}`;

/** A request that no answer came to: to another origin, most often one that does not know this page's. */
export function hintAtOrigins(origin: string): void {
  if (origin === '') return;
  console.warn(`No answer from ${origin}. Add ${window.location.origin} to its allowed origins.`);
}
