/** Raw SQL: the log is read and written in statements that a connection plans once, many events at a time. */
import type { ClientBase } from 'pg';
import {
  EventStore,
  UPCASTERS,
  type Upcasters,
  StreamVersionConflict,
  type EventMetadata,
  type AnyEvent,
  type NewEvent,
  type Recorded,
  type RecordedEvent,
  type StoredEvent,
  type StreamAppend,
} from '../../../application/shared/event-store.js';
import type { Clock } from '../../../application/shared/clock.js';
import { NewerVersionRuns } from '../../../application/shared/unavailable.js';
import type { Database } from '../database/database.js';
import { AT_MS, type ProjectedRow } from '../projections/projected-rows.js';
import {
  appendedAfter,
  chainHashes,
  holdHead,
  insertEvents,
  insertParameters,
  LOG_END,
  NOTIFY,
  prepareEvents,
  type Appended,
  type EventDraft,
} from './log-writer.js';
import type { InlineProjection, ProjectedEvent } from '../projections/projection.js';

const ENDS_KEPT = 100_000;

/** The log in PostgreSQL. The batched executor appends movements of credits without this class. */
export class PostgresEventStore implements EventStore {
  private readonly listeners = new Set<(appended: Appended) => void>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly inlineProjections: readonly InlineProjection[] = [],
    private readonly upcasters: Upcasters = UPCASTERS,
  ) {}

  onAppend(listener: (appended: Appended) => void): void {
    this.listeners.add(listener);
  }

  /** Notifies listeners of an append by another writer; call it after the writer's transaction has committed. */
  announce(appended: Appended): void {
    for (const listener of this.listeners) listener(appended);
  }

  async append(appends: StreamAppend[], metadata: EventMetadata): Promise<RecordedEvent[]> {
    const drafts = appends.flatMap(({ stream, expectedVersion, events }) =>
      events.map((event, index): EventDraft => ({
        ...event,
        stream,
        version: expectedVersion + index + 1,
        metadata,
      })),
    );
    if (drafts.length === 0) return [];
    const { recorded, appended } = await this.database.transaction(async (client) => {
      const head = await holdHead(client);
      await this.assertVersions(client, appends);
      const prepared = prepareEvents(drafts, this.clock.now());
      const hashes = chainHashes(prepared, head);
      await client.query({
        name: 'insert-events',
        text: `with ${insertEvents()} select ${NOTIFY}`,
        values: insertParameters(prepared, head, hashes),
      });
      const recorded = prepared.events.map((event, index): RecordedEvent => ({
        ...event,
        position: head.position + event.position,
        hash: hashes[index] as string,
      }));
      for (const projection of this.inlineProjections) {
        const relevant = recorded.filter((event) => projection.types.includes(event.type));
        if (relevant.length > 0) await projection.apply(client, relevant);
      }
      return { recorded, appended: appendedAfter(head, prepared) };
    });
    this.announce(appended);
    return recorded;
  }

  /**
   * Checks the versions of the streams. None can change, because this transaction has locked the head of the log, so
   * no other one can append.
   */
  private async assertVersions(client: ClientBase, appends: StreamAppend[]): Promise<void> {
    const streams = appends.map((append) => append.stream);
    if (new Set(streams).size !== streams.length)
      throw new RangeError('a stream is named twice in one append');
    const found = await client.query({
      name: 'stream-versions',
      text: `select wanted.stream, coalesce(newest.version, 0) as version,
                    (select count(*)::int from checkpoint join unnest($2::text[], $3::int[]) as mine(name, version) using (name)
                      where checkpoint.version > mine.version) as newer
               from unnest($1::text[]) as wanted(stream)
               left join lateral (select version from event where event.stream = wanted.stream collate "C"
                                   order by version desc limit 1) as newest on true`,
      values: [
        streams,
        this.inlineProjections.map(({ name }) => name),
        this.inlineProjections.map(({ version }) => version),
      ],
    });
    const rows = found.rows as { stream: string; version: number; newer: number }[];
    if (rows[0]?.newer) throw new NewerVersionRuns();
    const versions = new Map(rows.map((row) => [row.stream, row.version]));
    for (const { stream, expectedVersion } of appends) {
      if (versions.get(stream) !== expectedVersion) throw new StreamVersionConflict(stream);
    }
  }

  async readStream<Event extends NewEvent = AnyEvent>(
    stream: string,
    afterVersion = 0,
  ): Promise<Recorded<Event>[]> {
    const found = await this.database.pool.query({
      name: 'read-stream',
      text: `select ${COLUMNS} from event where stream = $1 and version > $2 order by version`,
      values: [stream, afterVersion],
    });
    return found.rows.map((row) => this.fromRow(row as EventRow) as Recorded<Event>);
  }

  async readAll(options: {
    after: number;
    limit: number;
    types?: readonly string[];
    stream?: string;
  }): Promise<RecordedEvent[]> {
    const conditions = ['position > $1'];
    const values: unknown[] = [options.after, options.limit];
    if (options.types) conditions.push(`type = any($${values.push(options.types)})`);
    if (options.stream?.endsWith('-'))
      conditions.push(`starts_with(stream, $${values.push(options.stream)})`);
    else if (options.stream) conditions.push(`stream = $${values.push(options.stream)}`);
    const found = await this.database.pool.query(
      `select ${COLUMNS} from event where ${conditions.join(' and ')} order by position limit $2`,
      values,
    );
    return found.rows.map((row) => this.fromRow(row as EventRow));
  }

  async readStored({ after, limit }: { after: number; limit: number }): Promise<StoredEvent[]> {
    const found = await this.database.pool.query({
      name: 'read-stored',
      text: `select position, stream, version, type, data::text as data, metadata::text as metadata,
                    ${AT_MS}, encode(hash, 'hex') as hash
               from event where position > $1 order by position limit $2`,
      values: [after, limit],
    });
    return (found.rows as (Omit<StoredEvent, 'recordedAt'> & { at_ms: number })[]).map(
      ({ at_ms, ...event }) => ({ ...event, recordedAt: new Date(at_ms) }),
    );
  }

  async head(): Promise<{ position: number; hash: string }> {
    const found = await this.database.pool.query(
      `select position, encode(hash, 'hex') as hash from (${LOG_END}) as newest`,
    );
    return found.rows[0] as { position: number; hash: string };
  }

  /** Deletes old rows of `log_end`, of which only the newest is read. Keeps the last `ENDS_KEPT` positions. */
  async forgetFormerEnds(): Promise<void> {
    await this.database.long.query(
      `delete from log_end where position < (select max(position) from log_end) - ${ENDS_KEPT}`,
    );
  }

  fromProjectedRow({ position, stream, version, type, data: stored, at_ms }: ProjectedRow): ProjectedEvent {
    const upcast = this.upcasters[type];
    const data = upcast ? upcast(stored) : stored;
    return { position, stream, version, type, data, recordedAt: new Date(at_ms) };
  }

  fromRow(row: EventRow): RecordedEvent {
    const upcast = this.upcasters[row.type];
    return {
      position: row.position,
      stream: row.stream,
      version: row.version,
      type: row.type,
      data: upcast ? upcast(row.data) : row.data,
      metadata: row.metadata,
      recordedAt: row.recorded_at,
      hash: row.hash,
    };
  }
}

export const COLUMNS = `position, stream, version, type, data, metadata, recorded_at, encode(hash, 'hex') as hash`;

export interface EventRow {
  position: number;
  stream: string;
  version: number;
  type: string;
  data: Record<string, unknown>;
  metadata: EventMetadata;
  recorded_at: Date;
  hash: string;
}
