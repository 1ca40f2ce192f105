/** An opaque place in a list: the sort key of the last row that was shown. */
export const encodeCursor = (key: unknown[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

/** @returns the sort key, or undefined when there is no cursor or it is not one of ours: then from the start */
export function decodeCursor(cursor: string | undefined, length: number): unknown[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const plain = (part: unknown) => typeof part === 'string' || typeof part === 'number';
    return Array.isArray(key) && key.length === length && key.every(plain) ? key : undefined;
  } catch {
    return undefined;
  }
}
