/** The canonical spelling of a path: percent-encoded only where needed, without a slash at its end. */
export function canonicalPath(path: string): string | undefined {
  try {
    const segments = path.split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment)));
    return segments.join('/').replace(/(.)\/$/, '$1');
  } catch {
    return undefined;
  }
}
