import type { ClientBase } from 'pg';
import type { AnyEvent, NewEvent, Recording } from '../../../application/shared/event-store.js';

/** What projections are told of an event. */
export type Projected<Event extends NewEvent> = Event & Omit<Recording, 'metadata' | 'hash'>;

/** Of any stream. */
export type ProjectedEvent = Projected<AnyEvent>;

export type ColumnType = 'smallint' | 'int' | 'bigint' | 'text' | 'timestamptz';

/** Rows that events leave behind for good: no later event changes them. */
export interface AddedRows<Event extends NewEvent = NewEvent> {
  table: string;
  /** Name and type of each column. */
  columns: readonly (readonly [name: string, type: ColumnType])[];
  /** The rows of one event, their values in the order of the columns. */
  rowsOf(event: Projected<Event>): readonly (readonly unknown[])[];
}

/** How events come to a projection. */
export interface Application {
  /** Set aside before and not applied yet, though later events of other streams were: their positions tell nothing. */
  late?: boolean;
}

/** Rows derived from events, by plain SQL on the given connection. Applying an event twice changes nothing. */
interface ProjectionBase<Event extends NewEvent> {
  name: string;
  /** Raise to have it rebuilt from the first event. */
  version: number;
  types: readonly Event['type'][];
  /** Tables it owns alone; a rebuild empties them. */
  tables: readonly string[];
  apply(client: ClientBase, events: Projected<Event>[], how?: Application): Promise<void>;
  /** Where all that it does is to add rows, to each of its tables: a rebuild loads them in bulk then. */
  adds?: readonly AddedRows[];
}

/** Written in the transaction that appends, for what the actor sees next. */
export interface InlineProjection<Event extends NewEvent = NewEvent> extends ProjectionBase<Event> {
  lifecycle: 'inline';
}

/** Written by a worker that follows the log, checkpoint and rows together, for what others see. */
export interface AsyncProjection<Event extends NewEvent = NewEvent> extends ProjectionBase<Event> {
  lifecycle: 'async';
}

export type Projection = InlineProjection | AsyncProjection;
