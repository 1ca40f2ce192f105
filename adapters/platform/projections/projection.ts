import type { ClientBase } from 'pg';
import type { AnyEvent, NewEvent, Recording } from '../../../application/shared/event-store.js';

/** The part of an event that projections receive. */
export type Projected<Event extends NewEvent> = Event & Omit<Recording, 'metadata' | 'hash'>;

export type ProjectedEvent = Projected<AnyEvent>;

export type ColumnType = 'smallint' | 'int' | 'bigint' | 'text' | 'timestamptz';

/** Rows that no later event changes. */
export interface AddedRows<Event extends NewEvent = NewEvent> {
  table: string;
  columns: readonly (readonly [name: string, type: ColumnType])[];
  /** Returns the rows of one event, with values in the order of the columns. */
  rowsOf(event: Projected<Event>): readonly (readonly unknown[])[];
}

export interface Application {
  /**
   * True if a parked event is retried. Later events were applied before it, so a higher stored position does not show
   * that it was applied.
   */
  late?: boolean;
}

/** Rows derived from events, by plain SQL on the given connection. Applying an event twice changes nothing. */
interface ProjectionBase<Event extends NewEvent> {
  name: string;
  /** A higher number makes nodes rebuild the projection from the first event. */
  version: number;
  types: readonly Event['type'][];
  /** Tables that belong to this projection alone; a rebuild empties them. */
  tables: readonly string[];
  apply(client: ClientBase, events: Projected<Event>[], how?: Application): Promise<void>;
  /** Present if the projection only adds rows to each of its tables; a rebuild then loads them in bulk. */
  adds?: readonly AddedRows[];
  /** Returns the events with further data that `rowsOf` needs. `apply` calls `prepare` itself. */
  prepare?(client: ClientBase, events: ProjectedEvent[]): Promise<ProjectedEvent[]>;
}

/** A projection that is written in the transaction of the append, so that the actor sees the change at once. */
export interface InlineProjection<Event extends NewEvent = NewEvent> extends ProjectionBase<Event> {
  lifecycle: 'inline';
  /** Writes rows before the head of the log is locked. A rebuild locks in the same order, to avoid deadlocks. */
  beforeHead?: boolean;
}

/** A projection that a worker writes later. The worker commits checkpoint and rows together. */
export interface AsyncProjection<Event extends NewEvent = NewEvent> extends ProjectionBase<Event> {
  lifecycle: 'async';
}

export type Projection = InlineProjection | AsyncProjection;
