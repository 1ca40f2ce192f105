/** Raw SQL: the projection determines the table and columns, and the values are arrays. */
import type { ClientBase } from 'pg';
import type { NewEvent } from '../../../application/shared/event-store.js';
import { copyIn, encodeRows } from '../database/copy.js';
import type { AddedRows, AsyncProjection, Projected, ProjectedEvent } from './projection.js';

/** Returns the common part of projections that only add rows and never change existing ones. */
export const adding = <Event extends NewEvent>(
  ...adds: readonly AddedRows<Event>[]
): Pick<AsyncProjection<Event>, 'tables' | 'adds' | 'apply'> => ({
  tables: adds.map(({ table }) => table),
  adds,
  async apply(client, events) {
    for (const added of adds) await insertRows(client, added, events);
  },
});

async function insertRows<Event extends NewEvent>(
  client: ClientBase,
  { table, columns, rowsOf }: AddedRows<Event>,
  events: readonly Projected<Event>[],
): Promise<void> {
  const values: unknown[][] = columns.map(() => []);
  for (const event of events)
    for (const row of rowsOf(event)) row.forEach((value, column) => values[column]?.push(value));
  if (values[0]?.length === 0) return;
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`);
  await client.query(
    `insert into ${table} (${columns.map(([name]) => name).join(', ')}) select * from unnest(${arrays.join(', ')}) on conflict do nothing`,
    values,
  );
}

export function bulkOf(
  adds: readonly AddedRows[],
  events: readonly ProjectedEvent[],
): (client: ClientBase) => Promise<void> {
  const loads = adds.map((added) => ({ added, rows: encodeRows(added.columns, rowsOfAll(added, events)) }));
  return async (client) => {
    for (const { added, rows } of loads) if (rows) await copyIn(client, added, rows);
  };
}

function* rowsOfAll({ rowsOf }: AddedRows, events: readonly ProjectedEvent[]): Generator<readonly unknown[]> {
  for (const event of events) yield* rowsOf(event);
}
