import type { NewEvent, Recorded } from './event-store.js';

/**
 * Follows the log from a checkpoint of its own, at least once per event, and each stream in its order. It must be
 * idempotent by the event's position. A reactor that throws is retried with growing pauses. An event that keeps failing
 * is parked together with the later events of its stream, reported, and retried later.
 */
export interface Reactor<Event extends NewEvent = NewEvent> {
  name: string;
  types: readonly Event['type'][];
  /** How many streams may be at work at a time; one by default. */
  streamsAtOnce?: number;
  handle(event: Recorded<Event>): Promise<void>;
  /** The same for many events at once, all or nothing; if it throws, they are handled one by one. */
  handleAll?(events: readonly Recorded<Event>[]): Promise<void>;
}
