import type { ChainedBytes } from './proof/hash-chain.js';
import { isStorable, isStorableJson } from './text.js';

export interface NewEvent {
  type: string;
  data: object;
}

export interface EventMetadata {
  /** User id, or `system:{name}` for a reactor, sweep or import. */
  actor: string;
  /** All events of one user action have the same correlation id. */
  correlationId: string;
  /** The cause of this event: the position of an earlier event, or an id such as that of a Stripe event. */
  causationId?: string;
}

export interface RecordedMetadata extends EventMetadata {
  /** The trace span that recorded the event, in W3C format, if there was one. A reactor continues this trace. */
  traceparent?: string;
}

export type Cause = Omit<EventMetadata, 'correlationId'>;

export interface Recording {
  /** The number of the event in the log: from 1, without gaps, in commit order. */
  position: number;
  /** `category-id`, such as `pack-9f1c…`. */
  stream: string;
  /** The number of the event in its stream: from 1, without gaps. */
  version: number;
  metadata: RecordedMetadata;
  recordedAt: Date;
  /** SHA-256 over the previous hash and the stored bytes, hex. */
  hash: string;
}

export type Recorded<Event extends NewEvent> = Event & Recording;

export type RecordedEvent = Recorded<AnyEvent>;
export interface AnyEvent {
  type: string;
  data: Record<string, unknown>;
}

/** Returns a type guard that compares only the type, because the log guarantees the shape of the data. */
export const eventsOf = <Event extends NewEvent>(types: readonly Event['type'][]) => {
  const known: ReadonlySet<string> = new Set(types);
  return <Known extends { type: string; data: unknown }>(event: Known): event is Known & Event =>
    known.has(event.type);
};

/** An event as the bytes that its hash covers. */
export type StoredEvent = ChainedBytes & { hash: string };

/** Events for one stream, which must be at `expectedVersion` (0: the stream must not exist). */
export interface StreamAppend {
  stream: string;
  expectedVersion: number;
  events: NewEvent[];
}

/** Another writer appended first. The caller must load the stream and decide again. */
export class StreamVersionConflict extends Error {
  constructor(readonly stream: string) {
    super(`stream ${stream} is no longer at the expected version`);
    this.name = 'StreamVersionConflict';
  }
}

/** An event contains NUL or a lone surrogate. The log stores only text that can be read back. */
export class UnstorableText extends Error {
  constructor(stream: string, type: string) {
    super(`${type} of ${JSON.stringify(stream)} contains text that cannot be stored`);
    this.name = 'UnstorableText';
  }
}

export function assertStorable(
  { stream, type }: { stream: string; type: string },
  texts: { data: string; metadata: string },
): void {
  if (!isStorable(stream) || !isStorableJson(texts.data) || !isStorableJson(texts.metadata))
    throw new UnstorableText(stream, type);
}

export abstract class EventStore {
  /**
   * Appends to all streams in one transaction, including inline projections, or to none.
   * @returns the recorded events in log order
   * @throws StreamVersionConflict if a stream is at another version
   * @throws UnstorableText
   */
  abstract append(appends: StreamAppend[], metadata: EventMetadata): Promise<RecordedEvent[]>;

  /** Returns events in version order, converted to today's shape (upcast); none if the stream does not exist. */
  abstract readStream<Event extends NewEvent = AnyEvent>(
    stream: string,
    afterVersion?: number,
  ): Promise<Recorded<Event>[]>;

  /** Returns the log in commit order. `types` filters by event type, `stream` by exact name or `category-`. */
  abstract readAll(options: {
    after: number;
    limit: number;
    types?: readonly string[];
    stream?: string;
  }): Promise<RecordedEvent[]>;

  /** Returns the log as stored, byte for byte and without upcasting, for verification. */
  abstract readStored(options: { after: number; limit: number }): Promise<StoredEvent[]>;

  abstract head(): Promise<{ position: number; hash: string }>;
}

/**
 * Follows the log from its own checkpoint and handles each event at least once, in the order of its stream. A reactor
 * must be idempotent by the event's position. If it throws, it is retried with growing pauses. An event that keeps
 * failing is parked with the later events of its stream, reported, and retried later.
 */
export interface Reactor<Event extends NewEvent = NewEvent> {
  name: string;
  types: readonly Event['type'][];
  /** How many streams the reactor handles concurrently; 1 by default. */
  streamsAtOnce?: number;
  handle(event: Recorded<Event>): Promise<void>;
  /** Handles many events at once, all or none. If it throws, `handle` gets the events one by one. */
  handleAll?(events: readonly Recorded<Event>[]): Promise<void>;
}

/** Functions that convert the data of old events to today's shape. Fields are only ever added. */
export type Upcasters = Readonly<Record<string, (data: Record<string, unknown>) => Record<string, unknown>>>;

/** One function per event type whose old events must be converted. So far, optional fields were enough. */
export const UPCASTERS: Upcasters = {};
