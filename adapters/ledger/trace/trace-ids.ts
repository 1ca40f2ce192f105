import type { AnyEvent } from '../../../application/shared/event-store.js';
import { amountsOf, idsOf, TRACED_EVENT_TYPES } from '../../../application/ledger/trace/traced-ids.js';
import { adding } from '../../platform/projections/added-rows.js';
import type { AddedRows, AsyncProjection } from '../../platform/projections/projection.js';

const IDS: AddedRows<AnyEvent> = {
  table: 'traced_id',
  columns: [
    ['id', 'text'],
    ['position', 'bigint'],
    ['kind', 'text'],
  ],
  rowsOf: (event) => idsOf(event).map(({ id, kind }) => [id, event.position, kind]),
};

const AMOUNTS: AddedRows<AnyEvent> = {
  table: 'traced_amount',
  columns: [
    ['amount_micro_usd', 'bigint'],
    ['position', 'bigint'],
  ],
  rowsOf: (event) => amountsOf(event).map((amount) => [amount, event.position]),
};

export const traceIds: AsyncProjection<AnyEvent> = {
  name: 'trace-ids',
  version: 1,
  lifecycle: 'async', // Explanations need not include the newest events.
  types: TRACED_EVENT_TYPES,
  ...adding(IDS, AMOUNTS),
};
