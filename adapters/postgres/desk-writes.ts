import type { ClientBase } from 'pg';
import type { DeskDecision } from '../../application/purchases/desk-situation.js';
import { binaryArrays } from './binary-arrays.js';
import { INSERT_EVENTS, chainHashes, holdHead, insertParameters, prepareEvents } from './log-writer.js';
import {
  accountParameters,
  creditRows,
  movementParameters,
  writeAccounts,
  writeMovements,
  type AccountRow,
} from './read-models/credits.js';
import { ownedRows, writeOwnedRows } from './read-models/owned-samples.js';

const WRITE_REQUESTS = `
  requests as (
    insert into purchase_request (user_id, key, request_hash, outcome, created_at)
    select user_id, key, request_hash, outcome, $1::timestamptz
      from unnest($2::text[], $3::text[], $4::text[], $5::json[]) as r(user_id, key, request_hash, outcome)
  )`;

/** A sample bought for the first time, and one that has a row already: returned, or in an earlier version. */
const WRITE_STANDING = {
  new: `with ${WRITE_REQUESTS}, ${writeAccounts(6)}, ${writeOwnedRows(10, 'new')} select 1`,
  any: `with ${WRITE_REQUESTS}, ${writeAccounts(6)}, ${writeOwnedRows(10)} select 1`,
};

const WRITE_LOG = `with ${INSERT_EVENTS}, ${writeMovements(10, 1, 'new')} select pg_notify('event_appended', '')`;

/**
 * Writes what a batch came to. Whatever does not need the head of the log is written before it is held, so that
 * two batches are at work at a time.
 * @returns the position of the last event, 0 when there is none, and the statement that writes the log: to be
 * awaited with the commit
 */
export async function writeBatch(
  client: ClientBase,
  decision: DeskDecision,
  accountsBefore: ReadonlyMap<string, AccountRow>,
  now: Date,
): Promise<{ position: number; last: Promise<unknown> }> {
  if (decision.events.length === 0) return { position: 0, last: writeRequests(client, decision, now) };
  const prepared = prepareEvents(decision.events, now);
  const credits = creditRows(prepared.events, accountsBefore);
  const rows = prepared.events.some(isLaterOfPurchase) ? 'any' : 'new';
  const standing = client.query({
    name: `write-desk-standing-${rows}`,
    text: WRITE_STANDING[rows],
    values: [
      ...requestParameters(decision, now),
      ...accountParameters(credits),
      ...ownedRows(prepared.events),
    ],
  });
  const [head] = await Promise.all([holdHead(client), standing]);
  const last = client.query({
    name: 'write-desk-log',
    text: WRITE_LOG,
    values: [
      ...insertParameters(prepared, head, chainHashes(prepared, head)),
      ...movementParameters(credits),
    ],
  });
  return { position: head.position + prepared.events.length, last };
}

const isLaterOfPurchase = ({ stream, version }: { stream: string; version: number }): boolean =>
  version > 1 && stream.startsWith('purchase-');

/** Refusals are kept under their keys, too. */
async function writeRequests(client: ClientBase, decision: DeskDecision, now: Date): Promise<void> {
  if (decision.requests.length === 0) return;
  await client.query({
    name: 'write-desk-requests',
    text: `with ${WRITE_REQUESTS} select 1`,
    values: requestParameters(decision, now),
  });
}

function requestParameters({ requests }: DeskDecision, now: Date): unknown[] {
  const { text, json } = binaryArrays;
  return [
    now,
    text(requests.map((request) => request.userId)),
    text(requests.map((request) => request.key)),
    text(requests.map((request) => request.requestHash)),
    json(requests.map((request) => JSON.stringify(request.outcome))),
  ];
}
