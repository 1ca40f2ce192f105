/** Raw SQL: every append, also of the purchase path, runs these statements. */
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

/** An event with its stream version decided, waiting for a position. */
export interface EventDraft {
  stream: string;
  version: number;
  type: string;
  data: object;
  metadata: EventMetadata;
  /** Credits the event moves on its account; kept as a column so that SQL can fold without JSON. */
  creditDelta?: number;
}

/** The newest event of the log. */
export interface Head {
  position: number;
  hash: string;
}

/**
 * Events prepared for the log as far as possible before the head is locked, because every writer waits for that
 * lock.
 */
export interface PreparedEvents {
  /** In log order. `position` counts from the head, so the first has 1. */
  events: Omit<RecordedEvent, 'hash'>[];
  /** JSON in the bytes that are stored and hashed. */
  texts: { data: string; metadata: string }[];
  columns: Buffer[];
}

/**
 * WITH-parts that write what `insertParameters` gives and the log's new end; parameters of others begin at $10.
 * @param from a WITH-part with a row where the events may be written; without one `head` has no row
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

/** More types than this in one transaction are told as any, so that a notification stays below its 8,000 bytes. */
const MOST_TYPES = 100;

/**
 * Tells other processes where the log ends now and of which types the new events are. Once a transaction, because
 * those that notify commit one after the other.
 */
export const NOTIFY = `
  pg_notify('event_appended', (
    select concat_ws(' ', (select position from head),
                     case when count(distinct type) <= ${MOST_TYPES} then string_agg(distinct type collate "C", ' ') end)
      from unnest($5::text[]) as new(type)))`;

/** What was appended, as far as it is known. */
export interface Appended {
  position: number;
  /** Absent: of any. */
  types?: readonly string[];
}

/** Reads what NOTIFY tells; a process of a version before tells nothing. */
export function appendedOf(notification: string): Appended {
  const [position, ...types] = notification.split(' ');
  return {
    position: Number(position) || Number.POSITIVE_INFINITY,
    ...(types.length > 0 && { types }),
  };
}

/**
 * From here to the commit this transaction holds the head of the log, so positions are gap-free in commit order.
 */
export async function holdHead(client: ClientBase): Promise<Head> {
  const held = await client.query({
    name: 'hold-head',
    text: `select position, encode(hash, 'hex') as hash from hold_log_end()`,
  });
  return held.rows[0] as Head;
}

/** The newest end of the log, without holding it. */
export const LOG_END = 'select position, hash from log_end order by position desc limit 1';

/**
 * @param drafts in log order
 * @throws UnstorableText
 */
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

/** What to tell of them once they are written. */
export const appendedAfter = (head: Head, { events }: PreparedEvents): Appended => ({
  position: head.position + events.length,
  types: [...new Set(events.map(({ type }) => type))],
});

/** The hashes of the prepared events behind the head, in hexadecimal. */
export function chainHashes({ events, texts }: PreparedEvents, head: Head): string[] {
  let { hash } = head;
  return events.map(({ position, stream, version, type, recordedAt }, index) => {
    const text = texts[index] as PreparedEvents['texts'][number];
    hash = nextHash(hash, { position: head.position + position, stream, version, type, ...text, recordedAt });
    return hash;
  });
}

/** `$1…$9` of insertEvents. */
export const insertParameters = (
  { events, columns }: PreparedEvents,
  head: Head,
  hashes: readonly string[],
): unknown[] => [head.position, events[0]?.recordedAt, ...columns, binaryArrays.bytea(hashes)];
