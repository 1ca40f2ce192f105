import type { AnyEvent } from '../../application/shared/event-store.js';
import { isOfEarlierMonth, ownDateOf } from '../../domain/ledger/booking.js';
import { FINANCIAL_EVENT_TYPES, entryFor } from '../../domain/ledger/entry.js';
import { aboutOf, cashFactOf, FACT_OF_MOVEMENT, movedByFact } from '../../domain/ledger/tie-out.js';
import type { BalanceTransactionEvent } from '../../domain/shared/balance-movement.js';
import type { AddedRows, AsyncProjection } from '../platform/projections/projection.js';
import { addingBooked, type Booked } from './booked-rows.js';

const LINES: AddedRows<Booked> = {
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
    const { position, bookedAt: at } = event;
    return postings.map((each, line) => [position, line, at, fact, each.account, each.commodity, each.delta]);
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
  ],
  rowsOf(event) {
    const moved = cashFactOf(event);
    if (!moved) return [];
    const { position, recordedAt } = event;
    return [[position, recordedAt, moved.fact, moved.about, moved.amountMicroUsd]];
  },
};

/**
 * Facts that were recorded only after their month was sealed or
 * closed. The journal posts them at the time of recording.
 */
const LATE_FACTS: AddedRows<Booked> = {
  table: 'late_fact',
  columns: [
    ['position', 'bigint'],
    ['at', 'timestamptz'],
    ['fact', 'text'],
    ['about', 'text'],
    ['amount_micro_usd', 'bigint'],
  ],
  rowsOf(event) {
    const entry = isOfEarlierMonth(event) ? entryFor(event) : undefined;
    const own = ownDateOf(event);
    if (!entry || event.bookedAt <= own) return [];
    const debits = entry.postings.reduce(
      (sum, { commodity, delta }) => sum + (commodity === 'usd' ? Math.max(delta, 0) : 0),
      0,
    );
    const amount = cashFactOf(event)?.amountMicroUsd ?? debits;
    return [[event.position, own, entry.fact, aboutOf(event.data), amount]];
  },
};

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
    // The table `balance_transaction` has only movements in dollars. Other movements are read from the log.
    if (movement.foreign) return [];
    const { transactionId, at, kind, about = null, grossMicroUsd, feeMicroUsd } = movement;
    const fact = FACT_OF_MOVEMENT[kind] ?? null;
    const moved = movedByFact(movement);
    return [[transactionId, position, recordedAt, at, kind, fact, about, grossMicroUsd, feeMicroUsd, moved]];
  },
};

/** Posts events as journal lines. Also lists the cash that each event and each provider movement moved. Idempotent. */
export const journal: AsyncProjection = {
  name: 'journal',
  version: 6, // 6: facts of the provider have their own date
  lifecycle: 'async', // A purchase does not wait for the books.
  types: FINANCIAL_EVENT_TYPES,
  ...addingBooked(LINES, CASH_FACTS, MOVEMENTS, LATE_FACTS),
};
