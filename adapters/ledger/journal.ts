import type { AnyEvent, NewEvent } from '../../application/shared/event-store.js';
import { FINANCIAL_EVENT_TYPES, entryFor } from '../../domain/ledger/entry.js';
import { cashFactOf, factOfMovement, movedByFact } from '../../domain/ledger/tie-out.js';
import type { BalanceTransactionEvent } from '../../domain/shared/balance-movement.js';
import { adding } from '../platform/projections/added-rows.js';
import type { AddedRows, AsyncProjection, ProjectedEvent } from '../platform/projections/projection.js';

const LINES: AddedRows = {
  table: 'journal_line',
  columns: [
    ['position', 'bigint'],
    ['line', 'smallint'],
    ['at', 'timestamptz'],
    ['fact', 'text'],
    ['account', 'text'],
    ['commodity', 'text'],
    ['delta', 'bigint'],
  ],
  rowsOf(event) {
    const { fact, postings } = entryFor(event) ?? { fact: '', postings: [] };
    // An adjusting entry may be posted at the end of a month that is over.
    const at = 'effectiveAt' in event.data ? event.data.effectiveAt : event.recordedAt;
    return postings.map(({ account, commodity, delta }, line) => [
      event.position,
      line,
      at,
      fact,
      account,
      commodity,
      delta,
    ]);
  },
};

const CASH_FACTS: AddedRows<AnyEvent> = {
  table: 'cash_fact',
  columns: [
    ['position', 'bigint'],
    ['at', 'timestamptz'],
    ['fact', 'text'],
    ['about', 'text'],
    ['amount_micro_usd', 'bigint'],
    ['earlier_month_at', 'timestamptz'],
  ],
  rowsOf(event) {
    const moved = cashFactOf(event);
    if (!moved) return [];
    const { position, recordedAt } = event;
    return [[position, recordedAt, moved.fact, moved.about, moved.amountMicroUsd, earlierMonthAt(event)]];
  },
};

/**
 * The fact's own date if that lies in an earlier month (UTC) than the one it is posted in: only such facts can be
 * late.
 */
function earlierMonthAt({ data, recordedAt }: ProjectedEvent): Date | null {
  const told = data.at ?? data.grantedAt;
  if (typeof told !== 'string') return null;
  const at = new Date(told);
  return at < monthOf(recordedAt) ? at : null;
}

/** Its first moment. */
const monthOf = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));

const MOVEMENTS: AddedRows<BalanceTransactionEvent> = {
  table: 'balance_transaction',
  columns: [
    ['transaction_id', 'text'],
    ['position', 'bigint'],
    ['recorded_at', 'timestamptz'],
    ['at', 'timestamptz'],
    ['kind', 'text'],
    ['fact', 'text'],
    ['about', 'text'],
    ['gross_micro_usd', 'bigint'],
    ['fee_micro_usd', 'bigint'],
    ['moved_micro_usd', 'bigint'],
  ],
  rowsOf({ type, data: movement, position, recordedAt }) {
    if (type !== 'BalanceTransactionRecorded') return [];
    // Another currency is no part of this balance.
    if (movement.foreign) return [];
    const { transactionId, at, kind, about = null, grossMicroUsd, feeMicroUsd } = movement;
    const fact = factOfMovement(kind) ?? null;
    const moved = movedByFact(movement);
    return [[transactionId, position, recordedAt, at, kind, fact, about, grossMicroUsd, feeMicroUsd, moved]];
  },
};

/**
 * The entries of financial events as lines, and beside them our balance at the provider from both sides; applying
 * an event again writes nothing.
 */
export const journal: AsyncProjection = {
  name: 'journal',
  version: 5, // 5: movements held in suspense
  lifecycle: 'async', // Nobody waits for the books while buying.
  types: FINANCIAL_EVENT_TYPES,
  ...adding<NewEvent>(LINES, CASH_FACTS, MOVEMENTS),
};
