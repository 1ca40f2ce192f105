import type { ClientBase } from 'pg';
import type { AnyEvent, NewEvent, Recording } from '../../../application/shared/event-store.js';

/** What a projection gets of an event. */
export type Projected<Event extends NewEvent> = Event & Omit<Recording, 'metadata' | 'hash'>;

/** Of any stream. */
export type ProjectedEvent = Projected<AnyEvent>;

export type ColumnType = 'smallint' | 'int' | 'bigint' | 'text' | 'timestamptz';

/** Rows that no later event changes. */
export interface AddedRows<Event extends NewEvent = NewEvent> {
  table: string;
  /** Name and type of each column. */
  columns: readonly (readonly [name: string, type: ColumnType])[];
  /** The rows of one event, their values in the order of the columns. */
  rowsOf(event: Projected<Event>): readonly (readonly unknown[])[];
}

/** How events reach a projection. */
export interface Application {
  /** Parked before: later events of other streams were applied already, so positions say nothing. */
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
  /** Present if it does nothing but add rows to each of its tables; a rebuild then loads them in bulk. */
  adds?: readonly AddedRows[];
  /** What its added rows need beyond each event; `apply` asks for it itself. */
  prepare?(client: ClientBase, events: ProjectedEvent[]): Promise<ProjectedEvent[]>;
}

/** Written in the transaction that appends, so that the actor sees the change at once. */
export interface InlineProjection<Event extends NewEvent = NewEvent> extends ProjectionBase<Event> {
  lifecycle: 'inline';
  /** Its rows are written before the head of the log is held; a rebuild locks them in this order too. */
  beforeHead?: boolean;
}

/** Written by a worker that follows the log; it commits checkpoint and rows together. */
export interface AsyncProjection<Event extends NewEvent = NewEvent> extends ProjectionBase<Event> {
  lifecycle: 'async';
}

export type Projection = InlineProjection | AsyncProjection;
