/** Raw SQL: it compares sets of movements and facts. */
import { Injectable } from '@nestjs/common';
import { DatabaseAdapter, Database } from '../platform/database/database.js';
import { RecordedMovements } from '../../application/payments/balance-transactions.js';
import { CashFactQueries } from '../../application/ledger/queries.js';
import { boundsOf } from '../../domain/ledger/period.js';
import { microOf } from '../../domain/shared/micro-usd.js';
import type { CashFact, RecordedTransaction } from '../../domain/ledger/tie-out.js';
import { balanceTransactionDecider } from '../../domain/payments/balance-transaction.js';
import { OPENING } from '../../domain/shared/balance-movement.js';
import { FIRST_MONTH } from './month-terms.js';

export const HELD_MOVEMENTS = `select about as transaction_id from cash_fact where fact = 'movement-in-suspense'
  group by about having sum(amount_micro_usd) <> 0`;

/** An event normally explains a movement within minutes. After this time the movement goes to suspense. */
const PATIENCE_MS = 3_600_000;
/** Movements without an event and not in suspense, after the position that `settle` stored. Fees need no event. */
const UNSETTLED = `
  select t.*, coalesce(i.sells_plan, true) as sells_plan from balance_transaction t
    left join stripe_invoice i on i.invoice_id = t.about
   where t.position > (select settled_position from balance_sweep)
     and t.kind <> 'fee' and t.moved_micro_usd <> 0
     and not exists (select 1 from cash_fact f where f.about = t.about and f.fact = t.fact)
     and not exists (select 1 from (${HELD_MOVEMENTS}) held where held.transaction_id = t.transaction_id)`;
const A_SWEEP = 500;

@Injectable()
export class PostgresRecordedMovements implements RecordedMovements {
  private allHeld = false;
  /**
   * The month in which the books began, as it was when `misplaced` last searched and found nothing. If that month
   * changes, `misplaced` searches again.
   */
  private placedFor: string | undefined;

  constructor(private readonly database: Database) {}

  async among(transactionIds: readonly string[]): Promise<Set<string>> {
    // Raw SQL over the JSON of the log, because the read model may lag.
    const { rows } = await this.database.pool.query(
      `select data->>'transactionId' as id from readable_event where stream = any($1) and version = 1`,
      [transactionIds.map(balanceTransactionDecider.streamOf)],
    );
    return new Set((rows as { id: string }[]).map(({ id }) => id));
  }

  async completeUntil(): Promise<Date | undefined> {
    const sweep = await this.database.db
      .selectFrom('balance_sweep')
      .select('complete_until')
      .executeTakeFirst();
    return sweep?.complete_until;
  }

  async rememberComplete(until: Date): Promise<void> {
    await this.database.db
      .insertInto('balance_sweep')
      .values({ complete_until: until })
      .onConflict((conflict) =>
        conflict.column('only_row').doUpdateSet(({ fn }) => ({
          complete_until: fn<Date>('greatest', ['balance_sweep.complete_until', 'excluded.complete_until']),
        })),
      )
      .execute();
  }

  async withoutFact(now: Date): Promise<string[]> {
    await this.settle();
    const { rows } = await this.database.pool.query({
      name: 'movements-without-fact',
      text: `select transaction_id as id from (${UNSETTLED}) as t
              where fact is null or about is null or recorded_at < $1 or not sells_plan
              order by position`,
      values: [new Date(now.getTime() - PATIENCE_MS)],
    });
    return [...(rows as { id: string }[]).map(({ id }) => id), ...(await this.foreignAndNotHeld())];
  }

  /** Stores the position up to which every movement has an event or is in suspense, so that searches start after it. */
  private async settle(): Promise<void> {
    await this.database.pool.query(
      `update balance_sweep set settled_position = least(
         (select min(position) - 1 from (${UNSETTLED}) as t),
         (select min(position) - 1 from parked_event where follower = 'journal'),
         (select coalesce(max(position), 0) from balance_transaction))`,
    );
  }

  async heldWithFact(): Promise<string[]> {
    const { rows } = await this.database.pool.query(
      `select t.transaction_id as id from balance_transaction t
         join (${HELD_MOVEMENTS}) as held using (transaction_id)
         join cash_fact f on f.about = t.about and f.fact = t.fact
        group by 1 limit ${A_SWEEP}`,
    );
    return (rows as { id: string }[]).map(({ id }) => id);
  }

  async misplaced(): Promise<string[]> {
    const { rows: begun } = await this.database.pool.query<{ month: string | null }>(
      `select ${FIRST_MONTH} as month`,
    );
    const month = begun[0]?.month;
    if (!month || month === this.placedFor) return [];
    const { rows } = await this.database.pool.query<{ id: string }>(
      `select r.data->>'transactionId' as id from readable_event r
         left join lateral (select type = 'MovementHeldInSuspense' as held, data from readable_event p
                             where p.stream = r.stream and p.version > r.version order by p.version desc limit 1) p on true
        where r.type = 'BalanceTransactionRecorded' and r.data->>'kind' <> 'reserve'
          and (coalesce(p.held, false) or r.data->>'kind' = 'fee')
          and ((r.data->>'at')::timestamptz < $1) <> coalesce(p.held and p.data->>'account' = '${OPENING}', false)
          and not exists (select 1 from readable_event a, json_array_elements(a.data->'lines') line
                           where a.stream = 'adjusting-entries' and line->>'about' = p.data->>'item')
        order by r.position`,
      [boundsOf(month).from],
    );
    this.placedFor = rows.length === 0 ? month : undefined;
    return rows.map(({ id }) => id);
  }

  async rememberBalances({
    micro: { usd = 0, ...others },
    position: compared_position,
    at: compared_at,
  }: Parameters<RecordedMovements['rememberBalances']>[0]): Promise<void> {
    await this.database.db
      .updateTable('balance_sweep')
      .set({ provider_micro_usd: usd, compared_position, compared_at })
      .execute();
    for (const [currency, provider_micro] of Object.entries(others))
      await this.database.db
        .insertInto('foreign_balance')
        .values({ currency, provider_micro, compared_position, compared_at })
        .onConflict((conflict) =>
          conflict.column('currency').doUpdateSet({ provider_micro, compared_position, compared_at }),
        )
        .execute();
  }

  /** Finds movements in other currencies from before the books supported them. Newer ones go to suspense at once. */
  private async foreignAndNotHeld(): Promise<string[]> {
    if (this.allHeld) return [];
    const { rows } = await this.database.pool.query(
      `select r.data->>'transactionId' as id from readable_event r
        where r.type = 'BalanceTransactionRecorded' and r.data->'foreign' is not null
          and not exists (select 1 from readable_event h where h.stream = r.stream and h.type = 'MovementHeldInSuspense')`,
    );
    this.allHeld = rows.length === 0;
    return (rows as { id: string }[]).map(({ id }) => id);
  }
}

const FACT = `position, at, fact, about, amount_micro_usd as "amountMicroUsd", 'usd' as currency`;

export class PostgresCashFactQueries extends DatabaseAdapter implements CashFactQueries {
  async recorded(transactionIds: readonly string[]): Promise<RecordedTransaction[]> {
    const { rows } = await this.database.long.query({
      name: 'recorded-transactions',
      text: `select transaction_id as "transactionId", position, gross_micro_usd as "grossMicroUsd", 'usd' as currency,
                    case when h.held then 'movement-in-suspense' else fact end as fact,
                    case when h.held then transaction_id else about end as about
               from balance_transaction t
               left join lateral (select sum(amount_micro_usd) <> 0 as held from cash_fact f
                                   where f.about = t.transaction_id and f.fact = 'movement-in-suspense') h on true
              where transaction_id = any($1)`,
      values: [transactionIds],
    });
    return [...(rows as RecordedTransaction[]), ...(await this.recordedInForeign(transactionIds))];
  }

  /**
   * Reads the log, because `balance_transaction` has only dollars. Each foreign movement is held in suspense or
   * reserve under its own id.
   */
  private async recordedInForeign(transactionIds: readonly string[]): Promise<RecordedTransaction[]> {
    const { rows } = await this.database.long.query<
      Pick<RecordedTransaction, 'transactionId' | 'position' | 'currency'> & { minorUnits: number }
    >({
      name: 'recorded-in-foreign-currency',
      text: `select data->>'transactionId' as "transactionId", position, data->'foreign'->>'currency' as currency,
                    (data->'foreign'->>'grossMinorUnits')::bigint as "minorUnits"
               from readable_event
              where stream = any($1) and version = 1 and data->'foreign' is not null`,
      values: [transactionIds.map(balanceTransactionDecider.streamOf)],
    });
    return rows.map(({ minorUnits, ...movement }) => ({
      ...movement,
      grossMicroUsd: microOf(minorUnits, movement.currency),
      fact: 'movement-in-suspense',
      about: movement.transactionId,
    }));
  }

  async behind(named: readonly Pick<CashFact, 'fact' | 'about'>[], since: Date): Promise<CashFact[]> {
    const { rows } = await this.database.long.query({
      name: 'cash-facts',
      // Leaves out a fact that is not in `named` if its movement precedes `since`, because an earlier report contains
      // that movement.
      text: `select ${FACT} from cash_fact join unnest($1::text[], $2::text[]) as named(about, fact) using (about, fact)
             union
             select ${FACT} from cash_fact f
              where at >= $3
                and not exists (select 1 from balance_transaction t
                                 where t.at < $3 and (t.about = f.about and t.fact = f.fact
                                                      or t.transaction_id = f.about and f.fact in ('stripe-fee', 'movement-in-suspense')))
             union
             select l.position, l.at, 'movement-in-suspense', e.data->>'transactionId', l.delta, f.currency
               from foreign_balance f
               join journal_line l on l.account = 'stripe:balance:' || f.currency
               join readable_event e on e.position = l.position
              where l.at >= $3 or e.data->>'transactionId' = any($1)
              order by position`,
      values: [named.map(({ about }) => about), named.map(({ fact }) => fact), since],
    });
    return rows as CashFact[];
  }
}
