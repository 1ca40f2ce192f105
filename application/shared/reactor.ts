import type { NewEvent, Recorded } from './event-store.js';

/**
 * Follows the log from a checkpoint of its own, at least once per event and in order. Must be idempotent by
 * the event's position. A reactor that throws is tried again, with growing pauses. An event that fails again and
 * again is set aside together with what follows in its stream, told of, and tried again later.
 */
export interface Reactor<Event extends NewEvent = NewEvent> {
  name: string;
  types: readonly Event['type'][];
  handle(event: Recorded<Event>): Promise<void>;
  /** The same for many at once, all or nothing; where it throws, they are handled one by one. */
  handleAll?(events: readonly Recorded<Event>[]): Promise<void>;
}
