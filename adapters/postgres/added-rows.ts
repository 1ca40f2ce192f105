import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { AddedRows, AsyncProjection, ProjectedEvent } from './projection.js';

/** The part of a projection that only ever adds rows: what is there already is left as it is. */
export const adding = (
  ...adds: readonly AddedRows[]
): Pick<AsyncProjection, 'tables' | 'adds' | 'apply'> => ({
  tables: adds.map(({ table }) => table),
  adds,
  async apply(client, events) {
    for (const added of adds) await insertRows(client, added, events);
  },
});

async function insertRows(
  client: ClientBase,
  { table, columns, rowsOf }: AddedRows,
  events: readonly ProjectedEvent[],
): Promise<void> {
  const values: unknown[][] = columns.map(() => []);
  for (const event of events)
    for (const row of rowsOf(event)) row.forEach((value, column) => values[column]?.push(value));
  if (values[0]?.length === 0) return;
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`);
  await client.query(
    `insert into ${table} (${namesOf(columns)}) select * from unnest(${arrays.join(', ')}) on conflict do nothing`,
    values,
  );
}

/** Writes the rows into a table that has none of them, several times as fast. */
export async function copyRows(
  client: ClientBase,
  { table, columns, rowsOf }: AddedRows,
  events: readonly ProjectedEvent[],
): Promise<void> {
  let text = '';
  for (const event of events) for (const row of rowsOf(event)) text += lineOf(row);
  if (text === '') return;
  const into = client.query(copyFrom(`copy ${table} (${namesOf(columns)}) from stdin`));
  await pipeline(Readable.from([Buffer.from(text)]), into);
}

const namesOf = (columns: AddedRows['columns']): string => columns.map(([name]) => name).join(', ');

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One row in the text format of COPY. */
function lineOf(row: readonly unknown[]): string {
  let line = '';
  for (const value of row) {
    if (line !== '') line += '\t';
    line += fieldOf(value);
  }
  return `${line}\n`;
}

let latest = { ms: 0, iso: new Date(0).toISOString() };

/** Rows of one event share its time, and spelling it out is the dearest part of a row. */
function isoOf(time: Date): string {
  const ms = time.getTime();
  if (ms !== latest.ms) latest = { ms, iso: time.toISOString() };
  return latest.iso;
}

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return isoOf(value);
  const text = String(value);
  return SPECIAL.test(text)
    ? text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string)
    : text;
}
