/** Returns the canonical spelling of a path: percent-encoded only where needed, without a trailing slash. */
export function canonicalPath(path: string): string | undefined {
  try {
    const segments = path.split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment)));
    return segments.join('/').replace(/(.)\/$/, '$1');
  } catch {
    return undefined;
  }
}
