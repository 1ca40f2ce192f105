import type { ChainedBytes } from './proof/hash-chain.js';
import { isStorable, isStorableJson } from './text.js';

/** A fact about to be recorded. `data` is plain JSON. */
export interface NewEvent {
  type: string;
  data: object;
}

/** Who did it, and why: stored with every event. */
export interface EventMetadata {
  /** User id, or `system:{name}` for a reactor, sweep or import. */
  actor: string;
  /** All events that one user action caused share one correlation id. */
  correlationId: string;
  /** Position of the event, or id of the outside fact, that led to this one. */
  causationId?: string;
}

/** The same with what the log adds. */
export interface RecordedMetadata extends EventMetadata {
  /** The span that led to it, as W3C writes it, where that was traced: whoever reacts to it goes on with the trace. */
  traceparent?: string;
}

/** The same for a command whose stream gives the correlation id. */
export type Cause = Omit<EventMetadata, 'correlationId'>;

/** What the log adds to a fact. */
export interface Recording {
  /** Gap-free, in commit order, from 1. */
  position: number;
  /** `category-id`, such as `pack-9f1c…`. */
  stream: string;
  /** Gap-free in its stream, from 1. */
  version: number;
  metadata: RecordedMetadata;
  recordedAt: Date;
  /** SHA-256 over the previous hash and the stored bytes, hex. */
  hash: string;
}

/** A fact as the log keeps it. */
export type Recorded<Event extends NewEvent> = Event & Recording;

/** A fact of any stream. */
export type RecordedEvent = Recorded<AnyEvent>;
export interface AnyEvent {
  type: string;
  data: Record<string, unknown>;
}

/** Tells events of these types from all others: what the log keeps under a type has that type's shape. */
export const eventsOf = <Event extends NewEvent>(types: readonly Event['type'][]) => {
  const known: ReadonlySet<string> = new Set(types);
  return <Known extends { type: string; data: unknown }>(event: Known): event is Known & Event =>
    known.has(event.type);
};

/** An event in the bytes that its hash covers. */
export type StoredEvent = ChainedBytes & { hash: string };

/** Events for one stream, which must be at `expectedVersion` (0: must not exist yet). */
export interface StreamAppend {
  stream: string;
  expectedVersion: number;
  events: NewEvent[];
}

/** Another writer was first. Load again, decide again. */
export class StreamVersionConflict extends Error {
  constructor(readonly stream: string) {
    super(`stream ${stream} is no longer at the expected version`);
    this.name = 'StreamVersionConflict';
  }
}

/** An event holds NUL or half a character: the log keeps no text that others cannot read back. */
export class UnstorableText extends Error {
  constructor(stream: string, type: string) {
    super(`${type} of ${JSON.stringify(stream)} holds text that cannot be stored`);
    this.name = 'UnstorableText';
  }
}

/** @throws UnstorableText */
export function assertStorable(
  { stream, type }: { stream: string; type: string },
  texts: { data: string; metadata: string },
): void {
  if (!isStorable(stream) || !isStorableJson(texts.data) || !isStorableJson(texts.metadata))
    throw new UnstorableText(stream, type);
}

export abstract class EventStore {
  /**
   * Appends to all streams in one transaction, inline projections included, or to none.
   * @returns the recorded events in log order
   * @throws StreamVersionConflict when any stream is at another version
   * @throws UnstorableText
   */
  abstract append(appends: StreamAppend[], metadata: EventMetadata): Promise<RecordedEvent[]>;

  /** One stream in version order; empty when it does not exist. Old shapes arrive upcast. The caller knows its events. */
  abstract readStream<Event extends NewEvent = AnyEvent>(
    stream: string,
    afterVersion?: number,
  ): Promise<Recorded<Event>[]>;

  /** The log in commit order. `types` narrows by event type, `stream` by exact name or `category-`. */
  abstract readAll(options: {
    after: number;
    limit: number;
    types?: readonly string[];
    stream?: string;
  }): Promise<RecordedEvent[]>;

  /** The log as stored, byte for byte and without upcasting, for verification. */
  abstract readStored(options: { after: number; limit: number }): Promise<StoredEvent[]>;

  /** The newest position (0 when empty) and its hash. */
  abstract head(): Promise<{ position: number; hash: string }>;
}
