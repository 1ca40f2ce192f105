/** Raw SQL: every append runs these statements, including those of the purchase path. */
import type { ClientBase } from 'pg';
import {
  assertStorable,
  type EventMetadata,
  type RecordedEvent,
  type RecordedMetadata,
} from '../../../application/shared/event-store.js';
import { nextHash } from '../../../application/shared/proof/hash-chain.js';
import { binaryArrays } from '../database/binary-arrays.js';
import { keptTraceParent } from '../observability/tracing.js';

export interface EventDraft {
  stream: string;
  version: number;
  type: string;
  data: object;
  metadata: EventMetadata;
  /** The change of the account's credits. A separate column, so that SQL adds up changes without reading JSON. */
  creditDelta?: number;
}

export interface Head {
  position: number;
  hash: string;
}

/** Events ready to write, except for what depends on the log's head. Purchases prepare before they lock the head. */
export interface PreparedEvents {
  /** In log order. `position` counts from the head of the log: the first new event has 1. */
  events: Omit<RecordedEvent, 'hash'>[];
  texts: { data: string; metadata: string }[];
  columns: Buffer[];
}

/**
 * Returns CTEs that insert the events of `insertParameters` and the new log end. Further parameters begin at $10.
 * @param from a FROM clause that returns a row if the events may be written. Without a row, `head` is empty, and the
 * caller's statement must fail
 */
export const insertEvents = (from = ''): string => `
  events as (
    insert into event (position, stream, version, type, data, metadata, credit_delta, recorded_at, hash)
    select $1::bigint + n, stream, version, type, data, metadata, credit_delta, $2::timestamptz, hash
      from unnest($3::text[], $4::int[], $5::text[], $6::json[], $7::json[], $8::int[], $9::bytea[])
             with ordinality as e(stream, version, type, data, metadata, credit_delta, hash, n)
  ), head as (
    insert into log_end (position, hash)
    select $1::bigint + cardinality($9::bytea[]), ($9::bytea[])[cardinality($9::bytea[])] ${from}
    returning position
  )`;

/** With more types than this, a notification names none, because PostgreSQL limits its payload to 8,000 bytes. */
const MOST_TYPES = 100;

/**
 * Notifies other processes of the new end of the log and of the new events' types. Notify once for a whole batch:
 * PostgreSQL commits transactions that notify one after another.
 */
export const NOTIFY = `
  pg_notify('event_appended', (
    select concat_ws(' ', (select position from head),
                     case when count(distinct type) <= ${MOST_TYPES} then string_agg(distinct type collate "C", ' ') end)
      from unnest($5::text[]) as new(type)))`;

export interface Appended {
  position: number;
  /** If absent, the events may be of any type. */
  types?: readonly string[];
}

/** Parses the payload of NOTIFY. An empty one, from `ParkedEvents` or an earlier version, wakes all subscriptions. */
export function appendedOf(notification: string): Appended {
  const [position, ...types] = notification.split(' ');
  return {
    position: Number(position) || Number.POSITIVE_INFINITY,
    ...(types.length > 0 && { types }),
  };
}

/** Locks the head of the log until the commit, so that positions follow the order of commits without gaps. */
export async function holdHead(client: ClientBase): Promise<Head> {
  const held = await client.query({
    name: 'hold-head',
    text: `select position, encode(hash, 'hex') as hash from hold_log_end()`,
  });
  return held.rows[0] as Head;
}

export const LOG_END = 'select position, hash from log_end order by position desc limit 1';

export function prepareEvents(drafts: readonly EventDraft[], recordedAt: Date): PreparedEvents {
  const texts: PreparedEvents['texts'] = [];
  const events: PreparedEvents['events'] = [];
  const traceparent = keptTraceParent();
  let last: { given: EventMetadata; metadata: RecordedMetadata; text: string } | undefined;
  for (const draft of drafts) {
    const { stream, version, type, data, metadata: given } = draft;
    // The events of one command share their metadata.
    if (last?.given !== given) {
      const metadata = traceparent ? { ...given, traceparent } : given;
      last = { given, metadata, text: JSON.stringify(metadata) };
    }
    const { metadata } = last;
    const written = { data: JSON.stringify(data), metadata: last.text };
    assertStorable(draft, written);
    texts.push(written);
    const position = texts.length;
    events.push({
      position,
      stream,
      version,
      type,
      data: data as Record<string, unknown>,
      metadata,
      recordedAt,
    });
  }
  return {
    events,
    texts,
    columns: [
      binaryArrays.text(drafts.map((draft) => draft.stream)),
      binaryArrays.int4(drafts.map((draft) => draft.version)),
      binaryArrays.text(drafts.map((draft) => draft.type)),
      binaryArrays.json(texts.map((text) => text.data)),
      binaryArrays.json(texts.map((text) => text.metadata)),
      binaryArrays.int4(drafts.map((draft) => draft.creditDelta ?? null)),
    ],
  };
}

export const appendedAfter = (head: Head, { events }: PreparedEvents): Appended => ({
  position: head.position + events.length,
  types: [...new Set(events.map(({ type }) => type))],
});

export function chainHashes({ events, texts }: PreparedEvents, head: Head): string[] {
  let { hash } = head;
  return events.map(({ position, stream, version, type, recordedAt }, index) => {
    const text = texts[index] as PreparedEvents['texts'][number];
    hash = nextHash(hash, { position: head.position + position, stream, version, type, ...text, recordedAt });
    return hash;
  });
}

export const insertParameters = (
  { events, columns }: PreparedEvents,
  head: Head,
  hashes: readonly string[],
): unknown[] => [head.position, events[0]?.recordedAt, ...columns, binaryArrays.bytea(hashes)];
