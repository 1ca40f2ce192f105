import { Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ClientBase, Submittable } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { BinaryWriter } from './binary-arrays.js';
import type { AddedRows, ColumnType } from '../projections/projection.js';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = -1;

const ESCAPE = /\\(.)/g;
const ESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const writer = new BinaryWriter();

const PUT: Record<ColumnType, (value: never) => void> = {
  smallint: (value: number) => writer.int2(value),
  int: (value: number) => writer.int4(value),
  bigint: (value: number) => writer.int8(value),
  text: (value: string) => writer.text(value),
  timestamptz: (value: Date | string) => writer.timestamptz(value instanceof Date ? value : new Date(value)),
};

/** Reads rows with COPY, at half the cost of a SELECT. The query must have no parameters and no nullable columns. */
export async function copyOut(client: ClientBase, query: string): Promise<string[][]> {
  const rows = (await text(copyStream(client, `copy (${query}) to stdout`))).split('\n');
  rows.pop(); // Nothing follows the last line feed.
  return rows.map((row) => {
    const columns = row.split('\t');
    return row.includes('\\') ? columns.map(unescape) : columns;
  });
}

/**
 * Returns the rows of a `copy … to stdout` as a stream. Its `rowCount` is set once the server has answered a later
 * statement on the same connection.
 * @param limitMs how long the client waits for the end; by default, as long as for any statement
 */
export const copyStream = (client: ClientBase, statement: string, limitMs?: number) =>
  timed(client, copyTo(statement), limitMs);

/** Returns a stream that takes the rows of a `copy … from stdin`. Its `rowCount` is known at its end. */
export const copyInto = (client: ClientBase, statement: string, limitMs?: number) =>
  timed(client, copyFrom(statement), limitMs);

function timed<Copy extends (Readable | Writable) & Submittable>(
  client: ClientBase,
  copy: Copy,
  limitMs: number | undefined,
): Copy {
  const stream = client.query(Object.assign(copy, limitMs !== undefined && { query_timeout: limitMs }));
  // pg clears the timer of its query timeout only in this callback.
  stream.once('close', () => (stream as { callback?: () => void }).callback?.());
  return stream;
}

const unescape = (value: string): string =>
  value.replaceAll(ESCAPE, (_, character: string) => ESCAPED[character] ?? character);

/** Encodes rows for `copyIn`. Returns undefined if there are no rows. */
export function encodeRows(
  columns: AddedRows['columns'],
  rows: Iterable<readonly unknown[]>,
): Buffer | undefined {
  const puts = columns.map(([, type]) => PUT[type] as (value: unknown) => void);
  let isEmpty = true;
  writer.clear();
  writer.raw(SIGNATURE);
  for (const row of rows) {
    isEmpty = false;
    writer.rawInt2(row.length);
    for (let index = 0; index < row.length; index += 1) {
      const value = row[index];
      if (value === null || value === undefined) writer.null();
      else (puts[index] as (value: unknown) => void)(value);
    }
  }
  if (isEmpty) return undefined;
  writer.rawInt2(END);
  return writer.copy();
}

export async function copyIn(
  client: ClientBase,
  { table, columns }: AddedRows,
  encoded: Buffer,
): Promise<void> {
  const names = columns.map(([name]) => name).join(', ');
  const into = copyInto(client, `copy ${table} (${names}) from stdin (format binary)`);
  await pipeline(Readable.from([encoded]), into);
}
