/** Raw SQL: it compares two sets, facts of the books and movements of the provider. */
import { Injectable } from '@nestjs/common';
import { CashFactQueries } from '../../application/ledger/queries.js';
import type { CashFact, RecordedTransaction } from '../../domain/ledger/tie-out.js';
import { Database } from '../platform/database/database.js';

const FACT = `position, at, fact, about, amount_micro_usd as "amountMicroUsd"`;

/** Movements that are in suspense now. */
export const HELD_MOVEMENTS = `select about as transaction_id from cash_fact where fact = 'movement-in-suspense'
  group by about having sum(amount_micro_usd) <> 0`;

@Injectable()
export class PostgresCashFactQueries implements CashFactQueries {
  constructor(private readonly database: Database) {}

  async recorded(transactionIds: readonly string[]): Promise<RecordedTransaction[]> {
    const { rows } = await this.database.long.query({
      name: 'recorded-transactions',
      text: `select transaction_id as "transactionId", position, gross_micro_usd as "grossMicroUsd",
                    case when h.held then 'movement-in-suspense' else fact end as fact,
                    case when h.held then transaction_id else about end as about
               from balance_transaction t
               left join lateral (select sum(amount_micro_usd) <> 0 as held from cash_fact f
                                   where f.about = t.transaction_id and f.fact = 'movement-in-suspense') h on true
              where transaction_id = any($1)`,
      values: [transactionIds],
    });
    return rows as RecordedTransaction[];
  }

  async behind(named: readonly Pick<CashFact, 'fact' | 'about'>[], since: Date): Promise<CashFact[]> {
    const { rows } = await this.database.long.query({
      name: 'cash-facts',
      // A movement before `since` is in an earlier report, even if we learned of it later.
      text: `select ${FACT} from cash_fact join unnest($1::text[], $2::text[]) as named(about, fact) using (about, fact)
             union
             select ${FACT} from cash_fact f
              where at >= $3
                and not exists (select 1 from balance_transaction t
                                 where t.at < $3 and (t.about = f.about and t.fact = f.fact
                                                      or t.transaction_id = f.about and f.fact in ('stripe-fee', 'movement-in-suspense')))
              order by position`,
      values: [named.map(({ about }) => about), named.map(({ fact }) => fact), since],
    });
    return rows as CashFact[];
  }
}
