/** Raw SQL: part of the one statement that writes a batch of purchases. */
import type { DecidedRequest } from '../../application/credits/credit-batch.js';
import { binaryArrays } from '../platform/database/binary-arrays.js';

/** Returns the CTE that writes requestParameters. `first` is the number of the first of its 5 parameters. */
export const writeRequests = (first: number): string => `
  requests as (
    insert into purchase_request (user_id, key, request_hash, outcome, created_at)
    select user_id, key, request_hash, outcome, $${first}::timestamptz
      from unnest($${first + 1}::text[], $${first + 2}::text[], $${first + 3}::text[], $${first + 4}::json[])
             as r(user_id, key, request_hash, outcome)
  )`;

export function requestParameters(requests: readonly DecidedRequest[], now: Date): unknown[] {
  const { text, json } = binaryArrays;
  return [
    now,
    text(requests.map((request) => request.userId)),
    text(requests.map((request) => request.key)),
    text(requests.map((request) => request.requestHash)),
    json(requests.map((request) => JSON.stringify(request.outcome))),
  ];
}
