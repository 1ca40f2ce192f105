import type { NewEvent, Recorded } from './event-store.js';

/**
 * Follows the log from its own checkpoint and handles each event at least once, in the order of its stream. It must be
 * idempotent by the event's position. A reactor that throws is retried with growing pauses. An event that keeps failing
 * is parked with the later events of its stream, reported, and retried later.
 */
export interface Reactor<Event extends NewEvent = NewEvent> {
  name: string;
  types: readonly Event['type'][];
  /** How many streams it handles concurrently; 1 by default. */
  streamsAtOnce?: number;
  handle(event: Recorded<Event>): Promise<void>;
  /** Handles many events at once, all or none. If it throws, they are handled one by one. */
  handleAll?(events: readonly Recorded<Event>[]): Promise<void>;
}
