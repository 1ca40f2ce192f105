import type { ClientBase } from 'pg';
import type { EventMetadata, RecordedEvent } from '../../application/ports/event-store.js';
import { nextHash } from '../../application/shared/hash-chain.js';
import { binaryArrays } from './binary-arrays.js';

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

/** Events in position order, and their columns as `unnest` takes them. */
export interface ChainedRows {
  recorded: RecordedEvent[];
  /** `$1…$9` of INSERT_EVENTS. */
  parameters: unknown[];
  headHash: string;
}

/** Writes the rows of ChainedRows.parameters and moves the head's hash; usable as the head of a longer WITH. */
export const INSERT_EVENTS = `
  events as (
    insert into event (position, stream, version, type, data, metadata, credit_delta, recorded_at, hash)
    select * from unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::json[], $6::json[], $7::int[], $8::timestamptz[], $9::bytea[])
  ), head as (
    update log_head set hash = ($9::bytea[])[cardinality($9::bytea[])]
  )`;

/**
 * Takes the next `count` positions. From here to the commit this transaction holds the head of the log, so
 * positions are gap-free in commit order.
 */
export async function takePositions(
  client: ClientBase,
  count: number,
): Promise<{ first: number; previousHash: string }> {
  const taken = await client.query({
    name: 'take-positions',
    text: `update log_head set position = position + $1 returning position, encode(hash, 'hex') as hash`,
    values: [count],
  });
  const { position, hash } = taken.rows[0] as { position: number; hash: string };
  return { first: position - count + 1, previousHash: hash };
}

/** Numbers and chains the drafts in the order given. */
export function chainDrafts(
  drafts: readonly EventDraft[],
  from: { first: number; previousHash: string },
  recordedAt: Date,
): ChainedRows {
  const recorded: RecordedEvent[] = [];
  const dataTexts: string[] = [];
  const metadataTexts: string[] = [];
  let hash = from.previousHash;
  let last: { metadata: EventMetadata; text: string } | undefined;
  for (const { stream, version, type, data, metadata } of drafts) {
    const position = from.first + recorded.length;
    const dataText = JSON.stringify(data);
    // The events of one command share their metadata.
    if (last?.metadata !== metadata) last = { metadata, text: JSON.stringify(metadata) };
    const bytes = { position, stream, version, type, data: dataText, metadata: last.text, recordedAt };
    hash = nextHash(hash, bytes);
    dataTexts.push(dataText);
    metadataTexts.push(last.text);
    recorded.push({
      position,
      stream,
      version,
      type,
      data: data as Record<string, unknown>,
      metadata,
      recordedAt,
      hash,
    });
  }
  const parameters = [
    binaryArrays.int8(recorded.map((event) => event.position)),
    binaryArrays.text(recorded.map((event) => event.stream)),
    binaryArrays.int4(recorded.map((event) => event.version)),
    binaryArrays.text(recorded.map((event) => event.type)),
    binaryArrays.json(dataTexts),
    binaryArrays.json(metadataTexts),
    binaryArrays.int4(drafts.map((draft) => draft.creditDelta ?? null)),
    binaryArrays.timestamptz(recorded.map((event) => event.recordedAt)),
    binaryArrays.bytea(recorded.map((event) => event.hash)),
  ];
  return { recorded, parameters, headHash: hash };
}
