import { jsonOf } from '../../../application/shared/text.js';

/** Type of a part of a sort key. `time` is in ISO 8601, `integer` is a safe integer, `number` is any number. */
export type CursorPart = 'time' | 'integer' | 'number' | 'text';

type Key<Parts extends readonly CursorPart[]> = {
  -readonly [Place in keyof Parts]: Parts[Place] extends 'integer' | 'number' ? number : string;
};

export const encodeCursor = (key: unknown[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

/** Thrown for a cursor whose content does not fit the sort key of the list. */
export class InvalidCursor extends Error {
  override name = 'InvalidCursor';
}

/**
 * Returns the sort key in the cursor. Without a cursor, returns undefined, which means the beginning of the
 * list. @throws InvalidCursor
 */
export function decodeCursor<const Parts extends readonly CursorPart[]>(
  cursor: string | undefined,
  shape: Parts,
): Key<Parts> | undefined;
export function decodeCursor(cursor: string | undefined, shape: number): unknown[] | undefined;
export function decodeCursor(
  cursor: string | undefined,
  shape: number | readonly CursorPart[],
): unknown[] | undefined {
  if (!cursor) return undefined;
  const key = jsonOf(Buffer.from(cursor, 'base64url').toString());
  const parts = typeof shape === 'number' ? Array<undefined>(shape).fill(undefined) : shape;
  if (Array.isArray(key) && key.length === parts.length && key.every((part, at) => isPart(part, parts[at])))
    return key;
  throw new InvalidCursor();
}

/** @param rows up to `limit` + 1 rows; the extra row shows that another page follows */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (last: Row) => unknown[]) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, nextCursor: last ? encodeCursor(keyOf(last)) : null };
}

function isPart(value: unknown, part: CursorPart | undefined): boolean {
  const text = typeof value === 'string' && !value.includes('\u0000');
  if (part === 'text') return text;
  if (part === 'time')
    return text && /^[12]\d{3}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));
  if (part === 'integer') return Number.isSafeInteger(value);
  return part === 'number' ? typeof value === 'number' : text || typeof value === 'number';
}
