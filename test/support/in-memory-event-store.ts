import {
  assertStorable,
  EventStore,
  StreamVersionConflict,
  type EventMetadata,
  type AnyEvent,
  type NewEvent,
  type Recorded,
  type RecordedEvent,
  type StoredEvent,
  type StreamAppend,
  UPCASTERS,
  type Upcasters,
} from '../../application/shared/event-store.js';
import { GENESIS_HASH, nextHash } from '../../application/shared/proof/hash-chain.js';

/**
 * Keeps the log in an array, for tests of handlers. The same contract tests as for the PostgreSQL store cover
 * it.
 */
export class InMemoryEventStore extends EventStore {
  readonly events: RecordedEvent[] = [];
  private readonly stored: StoredEvent[] = [];
  private readonly streams = new Map<string, RecordedEvent[]>();

  constructor(
    private readonly now: () => Date = () => new Date(),
    private readonly upcasters: Upcasters = UPCASTERS,
  ) {
    super();
  }

  override async append(appends: StreamAppend[], metadata: EventMetadata): Promise<RecordedEvent[]> {
    const streams = appends.map((append) => append.stream);
    if (new Set(streams).size !== streams.length)
      throw new RangeError('a stream is named twice in one append');
    for (const { stream, expectedVersion } of appends) {
      if (this.versionOf(stream) !== expectedVersion) throw new StreamVersionConflict(stream);
    }
    for (const { stream, events } of appends)
      for (const { type, data } of events)
        assertStorable({ stream, type }, { data: JSON.stringify(data), metadata: JSON.stringify(metadata) });
    const recorded: RecordedEvent[] = [];
    for (const { stream, expectedVersion, events } of appends) {
      events.forEach((event, index) => {
        const bytes = {
          position: this.events.length + 1,
          stream,
          version: expectedVersion + index + 1,
          type: event.type,
          data: JSON.stringify(event.data),
          metadata: JSON.stringify(metadata),
          recordedAt: this.now(),
        };
        const stored: RecordedEvent = {
          ...bytes,
          data: JSON.parse(bytes.data) as Record<string, unknown>,
          metadata: JSON.parse(bytes.metadata) as EventMetadata,
          hash: nextHash(this.events.at(-1)?.hash ?? GENESIS_HASH, bytes),
        };
        this.events.push(stored);
        this.stored.push({ ...bytes, hash: stored.hash });
        const history = this.streams.get(stream);
        if (history) history.push(stored);
        else this.streams.set(stream, [stored]);
        recorded.push(stored);
      });
    }
    return recorded;
  }

  override async readStream<Event extends NewEvent = AnyEvent>(
    stream: string,
    afterVersion = 0,
  ): Promise<Recorded<Event>[]> {
    return this.upcast((this.streams.get(stream) ?? []).slice(afterVersion)) as Recorded<Event>[];
  }

  override async readAll(options: {
    after: number;
    limit: number;
    types?: readonly string[];
    stream?: string;
  }): Promise<RecordedEvent[]> {
    const { after, limit, types, stream } = options;
    const wanted = this.events.filter(
      (event) =>
        event.position > after &&
        (!types || types.includes(event.type)) &&
        (!stream || (stream.endsWith('-') ? event.stream.startsWith(stream) : event.stream === stream)),
    );
    return this.upcast(wanted.slice(0, limit));
  }

  override async readStored({ after, limit }: { after: number; limit: number }): Promise<StoredEvent[]> {
    return this.stored.slice(after, after + limit);
  }

  override async head(): Promise<{ position: number; hash: string }> {
    return { position: this.events.length, hash: this.events.at(-1)?.hash ?? GENESIS_HASH };
  }

  private versionOf(stream: string): number {
    return this.streams.get(stream)?.length ?? 0;
  }

  private upcast(events: RecordedEvent[]): RecordedEvent[] {
    return events.map((event) => ({
      ...event,
      data: this.upcasters[event.type]?.(event.data) ?? event.data,
    }));
  }
}
