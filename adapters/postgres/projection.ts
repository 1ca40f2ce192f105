import type { ClientBase } from 'pg';
import type { RecordedEvent } from '../../application/ports/event-store.js';

/** Rows derived from events, by plain SQL on the given connection. Applying an event twice changes nothing. */
interface ProjectionBase {
  name: string;
  /** Raise to have it rebuilt from the first event. */
  version: number;
  types: readonly string[];
  /** Tables it owns alone; a rebuild empties them. */
  tables: readonly string[];
  apply(client: ClientBase, events: RecordedEvent[]): Promise<void>;
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
