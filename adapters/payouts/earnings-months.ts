/** Raw SQL: sums over the lines of one account of the journal. */
import type { EarningsMonth } from '../../application/payouts/contract.js';
import { creatorAccount } from '../../domain/ledger/accounts.js';
import { DatabaseAdapter } from '../platform/database/database.js';

const SHARES = `'share-earned', 'share-returned', 'share-taken-back'`;
const WITHDRAWN = `'withdrawal-requested', 'withdrawal-failed', 'transfer-reversed'`;

export class EarningsMonthQueries extends DatabaseAdapter {
  /** Returns every month since the first entry, newest first. Months without an entry are absent. */
  async of(creatorId: string): Promise<EarningsMonth[]> {
    const { rows } = await this.database.pool.query({
      name: 'earnings-months',
      text: `select to_char(date_trunc('month', at at time zone 'UTC'), 'YYYY-MM') as month,
                    count(*) filter (where fact = 'share-earned')::int as sales,
                    coalesce(-sum(delta) filter (where fact = 'share-earned'), 0)::bigint as "earnedMicroUsd",
                    coalesce(sum(delta) filter (where fact in ('share-returned', 'share-taken-back')), 0)::bigint as "takenBackMicroUsd",
                    coalesce(sum(delta) filter (where fact in (${WITHDRAWN})), 0)::bigint as "withdrawnMicroUsd",
                    coalesce(-sum(delta) filter (where fact not in (${SHARES}, ${WITHDRAWN})), 0)::bigint as "writtenOffMicroUsd",
                    -sum(delta)::bigint as moved
               from journal_line where account = $1 group by 1 order by 1`,
      values: [creatorAccount(creatorId)],
    });
    let closingMicroUsd = 0;
    return (rows as (Omit<EarningsMonth, 'openingMicroUsd' | 'closingMicroUsd'> & { moved: number })[])
      .map(({ moved, ...month }) => {
        const openingMicroUsd = closingMicroUsd;
        closingMicroUsd += moved;
        return { ...month, openingMicroUsd, closingMicroUsd };
      })
      .toReversed();
  }
}
