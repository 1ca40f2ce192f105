import type { RecordedEvent } from './event-store.js';

/**
 * Follows the log from a checkpoint of its own, at least once per event and in order. Must be idempotent by
 * the event's position. A reaction that throws is tried again, with growing pauses; it never skips.
 */
export interface Reaction {
  name: string;
  types: readonly string[];
  handle(event: RecordedEvent): Promise<void>;
}
