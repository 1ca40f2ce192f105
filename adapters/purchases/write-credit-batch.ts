import type { ClientBase, Pool } from 'pg';
import type { BatchDecision } from '../../application/purchases/decision-context.js';
import { binaryArrays } from '../platform/database/binary-arrays.js';
import {
  chainHashes,
  holdHead,
  insertEvents,
  insertParameters,
  prepareEvents,
  type Head,
  type PreparedEvents,
} from '../platform/event-log/log-writer.js';
import {
  accountParameters,
  creditRows,
  grantParameters,
  lineParameters,
  writeAccounts,
  writeGrants,
  writeLines,
  type AccountRow,
} from '../credits/credits.js';
import { ownedRows, writeOwnedRows } from './owned-samples.js';

/** Numbered from `first`: 5 parameters. */
const writeRequests = (first: number): string => `
  requests as (
    insert into purchase_request (user_id, key, request_hash, outcome, created_at)
    select user_id, key, request_hash, outcome, $${first}::timestamptz
      from unnest($${first + 1}::text[], $${first + 2}::text[], $${first + 3}::text[], $${first + 4}::json[])
             as r(user_id, key, request_hash, outcome)
  )`;

/** A sample bought for the first time, and one that has a row already: returned, or in an earlier version. */
const WRITE_STANDING = {
  new: `with ${writeRequests(1)}, ${writeAccounts(6)}, ${writeOwnedRows(10, 'new')} select 1`,
  any: `with ${writeRequests(1)}, ${writeAccounts(6)}, ${writeOwnedRows(10)} select 1`,
};

const NOTIFY = `select pg_notify('event_appended', '')`;
const WRITE_LOG = {
  purchases: `with ${insertEvents()}, ${writeLines(10, 1, 'new')} ${NOTIFY}`,
  grants: `with ${insertEvents()}, ${writeLines(10, 1, 'new')}, ${writeGrants(16, 1)} ${NOTIFY}`,
};

// The account first and then the head, as everybody locks them. Behind another head than the one that was read
// there is no row to divide by, and nothing is written.
const WRITE_AT_ONCE = `
  with ${writeAccounts(10)},
  held as materialized (
    select from hold_log_end() as log where (select count(*) from accounts) >= 0 and log.position = $1::bigint
  ),
  ${insertEvents('from held')},
  ${writeLines(14, 1, 'new')}, ${writeOwnedRows(20)}, ${writeRequests(31)}
  select pg_notify('event_appended', ''), 1 / (select count(*) from head)`;

/** What `writeAtOnce` fails with when somebody appended meanwhile. */
export const HEAD_MOVED = '22012'; // division by zero

/**
 * Writes what a batch came to. Whatever does not need the head of the log is written before it is held, so that
 * two batches are at work at a time.
 * @returns the position of the last event, 0 when there is none, and the statement that writes the log: to be
 * awaited with the commit
 */
export async function writeBatch(
  client: ClientBase,
  decision: BatchDecision,
  accountsBefore: ReadonlyMap<string, AccountRow>,
  now: Date,
): Promise<{ position: number; last: Promise<unknown> }> {
  if (decision.events.length === 0) return { position: 0, last: keepOutcomes(client, decision, now) };
  const prepared = prepareEvents(decision.events, now);
  const credits = creditRows(prepared.events, accountsBefore);
  const rows = prepared.events.some(isLaterOfPurchase) ? 'any' : 'new';
  const standing = client.query({
    name: `write-credit-batch-standing-${rows}`,
    text: WRITE_STANDING[rows],
    values: [
      ...requestParameters(decision, now),
      ...accountParameters(credits),
      ...ownedRows(prepared.events),
    ],
  });
  const [head] = await Promise.all([holdHead(client), standing]);
  const kind = credits.grants[0].length > 0 ? 'grants' : 'purchases';
  const last = client.query({
    name: `write-credit-batch-log-${kind}`,
    text: WRITE_LOG[kind],
    values: [
      ...insertParameters(prepared, head, chainHashes(prepared, head)),
      ...lineParameters(credits),
      ...(kind === 'grants' ? grantParameters(credits) : []),
    ],
  });
  return { position: lastPosition(head, prepared), last };
}

/**
 * Writes what purchases came to in one statement, a transaction of its own, provided that the log still ends
 * where it did when they were decided: then nothing they depend on can have changed.
 * @returns the position of the last event, 0 when there is none
 * @throws an error with the code HEAD_MOVED
 */
export async function writeAtOnce(
  pool: Pool,
  decision: BatchDecision,
  accountsBefore: ReadonlyMap<string, AccountRow>,
  head: Head,
  now: Date,
): Promise<number> {
  if (decision.events.length === 0) {
    await keepOutcomes(pool, decision, now);
    return 0;
  }
  const prepared = prepareEvents(decision.events, now);
  const credits = creditRows(prepared.events, accountsBefore);
  await pool.query({
    name: 'write-credit-batch-at-once',
    text: WRITE_AT_ONCE,
    values: [
      ...insertParameters(prepared, head, chainHashes(prepared, head)),
      ...accountParameters(credits),
      ...lineParameters(credits),
      ...ownedRows(prepared.events),
      ...requestParameters(decision, now),
    ],
  });
  return lastPosition(head, prepared);
}

const lastPosition = (head: Head, { events }: PreparedEvents): number => head.position + events.length;

const isLaterOfPurchase = ({ stream, version }: { stream: string; version: number }): boolean =>
  version > 1 && stream.startsWith('purchase-');

/** Refusals are kept under their keys, too. */
async function keepOutcomes(client: ClientBase | Pool, decision: BatchDecision, now: Date): Promise<void> {
  if (decision.requests.length === 0) return;
  await client.query({
    name: 'write-credit-batch-requests',
    text: `with ${writeRequests(1)} select 1`,
    values: requestParameters(decision, now),
  });
}

function requestParameters({ requests }: BatchDecision, now: Date): unknown[] {
  const { text, json } = binaryArrays;
  return [
    now,
    text(requests.map((request) => request.userId)),
    text(requests.map((request) => request.key)),
    text(requests.map((request) => request.requestHash)),
    json(requests.map((request) => JSON.stringify(request.outcome))),
  ];
}
