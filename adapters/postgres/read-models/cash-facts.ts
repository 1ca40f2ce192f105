import { CashFacts } from '../../../application/finance/readers.js';
import type { CashFact } from '../../../domain/ledger/tie-out.js';
import type { Database } from '../database.js';

export class PostgresCashFacts extends CashFacts {
  constructor(private readonly database: Database) {
    super();
  }

  override async since(from: Date): Promise<CashFact[]> {
    const { rows } = await this.database.pool.query({
      name: 'cash-facts',
      text: `select l.position, l.at, l.fact, l.amount as "amountMicroUsd",
                    array_remove(array[e.data->'invoice'->>'invoiceId', e.data->>'invoiceId', e.data->>'disputeId', e.data->>'transferId',
                                       e.data->>'reversalId', e.data->>'payoutId'], null) as "references"
               from (select position, min(at) as at, min(fact) as fact, sum(delta)::bigint as amount
                       from journal_line where account = 'stripe:balance' and at >= $1 group by position) l
               join event e using (position) where l.amount <> 0 order by l.position`,
      values: [from],
    });
    return rows as CashFact[];
  }
}
