import type { ClientBase } from 'pg';
import type { RecordedEvent } from '../../../application/shared/event-store.js';

/** What projections are told of an event. */
export type ProjectedEvent = Omit<RecordedEvent, 'metadata' | 'hash'>;

export type ColumnType = 'smallint' | 'int' | 'bigint' | 'text' | 'timestamptz';

/** Rows that events leave behind for good: no later event changes them. */
export interface AddedRows {
  table: string;
  /** Name and type of each column. */
  columns: readonly (readonly [name: string, type: ColumnType])[];
  /** The rows of one event, their values in the order of the columns. */
  rowsOf(event: ProjectedEvent): readonly (readonly unknown[])[];
}

/** How events come to a projection. */
export interface Application {
  /** Set aside before and not applied yet, though later events of other streams were: their positions tell nothing. */
  late?: boolean;
}

/** Rows derived from events, by plain SQL on the given connection. Applying an event twice changes nothing. */
interface ProjectionBase {
  name: string;
  /** Raise to have it rebuilt from the first event. */
  version: number;
  types: readonly string[];
  /** Tables it owns alone; a rebuild empties them. */
  tables: readonly string[];
  apply(client: ClientBase, events: ProjectedEvent[], how?: Application): Promise<void>;
  /** Where all that it does is to add rows, to each of its tables: a rebuild loads them in bulk then. */
  adds?: readonly AddedRows[];
}

/** Written in the transaction that appends, for what the actor sees next. */
export interface InlineProjection extends ProjectionBase {
  lifecycle: 'inline';
}

/** Written by a worker that follows the log, checkpoint and rows together, for what others see. */
export interface AsyncProjection extends ProjectionBase {
  lifecycle: 'async';
}

export type Projection = InlineProjection | AsyncProjection;
