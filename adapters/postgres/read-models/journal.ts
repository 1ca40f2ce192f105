import type { ClientBase } from 'pg';
import type { RecordedEvent } from '../../../application/ports/event-store.js';
import { FINANCIAL_EVENT_TYPES, entryFor } from '../../../domain/ledger/entry.js';
import { cashFactOf, factOfMovement, movedByFact } from '../../../domain/ledger/tie-out.js';
import type { BalanceTransaction } from '../../../domain/shared/balance-movement.js';
import type { AsyncProjection } from '../projection.js';

/**
 * The entries of financial events as lines, and beside them our balance at the provider from both sides; what an
 * event leaves is written once, whoever applies it again.
 */
export const journal: AsyncProjection = {
  name: 'journal',
  version: 3, // 3: the provider's fees, and its own ids
  lifecycle: 'async', // Nobody waits for the books while buying.
  types: FINANCIAL_EVENT_TYPES,
  tables: ['journal_line', 'cash_fact', 'balance_transaction'],
  async apply(client, events) {
    const lines = events.flatMap((event) => {
      const { fact, postings } = entryFor(event) ?? { fact: '', postings: [] };
      return postings.map(({ account, commodity, delta }, line) => [
        event.position, line, event.recordedAt, fact, account, commodity, delta,
      ]); // prettier-ignore
    });
    await insert(client, LINES, lines);
    await insert(client, CASH_FACTS, events.flatMap(cashFactRow));
    await insert(client, MOVEMENTS, events.flatMap(movementRow));
  },
};

const LINES = `
  insert into journal_line (position, line, at, fact, account, commodity, delta)
  select * from unnest($1::bigint[], $2::smallint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::bigint[])
  on conflict do nothing`;
const CASH_FACTS = `
  insert into cash_fact (position, at, fact, about, amount_micro_usd)
  select * from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[])
  on conflict do nothing`;
const MOVEMENTS = `
  insert into balance_transaction (transaction_id, position, recorded_at, at, kind, fact, about, gross_micro_usd, fee_micro_usd, moved_micro_usd)
  select * from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[])
  on conflict do nothing`;

/** @param rows all as long as the statement has parameters */
async function insert(client: ClientBase, text: string, rows: readonly unknown[][]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  await client.query(
    text,
    first.map((_, column) => rows.map((row) => row[column])),
  );
}

function cashFactRow(event: RecordedEvent): unknown[][] {
  const moved = cashFactOf(event);
  return moved ? [[event.position, event.recordedAt, moved.fact, moved.about, moved.amountMicroUsd]] : [];
}

function movementRow({ type, data, position, recordedAt }: RecordedEvent): unknown[][] {
  if (type !== 'BalanceTransactionRecorded') return [];
  const movement = data as unknown as BalanceTransaction;
  const { transactionId, at, kind, about = null, grossMicroUsd, feeMicroUsd } = movement;
  const fact = factOfMovement(kind) ?? null;
  const moved = movedByFact(movement);
  return [[transactionId, position, recordedAt, at, kind, fact, about, grossMicroUsd, feeMicroUsd, moved]];
}
