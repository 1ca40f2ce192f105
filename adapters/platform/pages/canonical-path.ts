/** The one spelling of a path that can be written in many: percent signs only where needed, no slash at its end. */
export function canonicalPath(path: string): string | undefined {
  try {
    const segments = path.split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment)));
    return segments.join('/').replace(/(.)\/$/, '$1');
  } catch {
    return undefined;
  }
}
