import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
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
  const chunks: Buffer[] = [];
  const stream = client.query(copyTo(`copy (${query}) to stdout`));
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
  } finally {
    // pg clears the timer of its query timeout only in this callback.
    (stream as { callback?: () => void }).callback?.();
  }
  const rows = Buffer.concat(chunks).toString().split('\n');
  rows.pop(); // Nothing follows the last line feed.
  return rows.map((row) => {
    const columns = row.split('\t');
    return row.includes('\\') ? columns.map(unescape) : columns;
  });
}

const unescape = (text: string): string =>
  text.replaceAll(ESCAPE, (_, character: string) => ESCAPED[character] ?? character);

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
  const into = client.query(copyFrom(`copy ${table} (${names}) from stdin (format binary)`));
  await pipeline(Readable.from([encoded]), into);
}
