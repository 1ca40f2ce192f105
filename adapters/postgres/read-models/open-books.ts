import type { LateFacts, OpenItems } from '../../../application/finance/contract.js';
import { OpenBooks } from '../../../application/finance/readers.js';
import type { Database } from '../database.js';
import { AGED } from './book-checks.js';

const DAY_MS = 86_400_000;

export class PostgresOpenBooks extends OpenBooks {
  constructor(private readonly database: Database) {
    super();
  }

  override async openItems(now: Date): Promise<OpenItems> {
    const { rows } = await this.database.pool.query({
      name: 'open-items',
      text: `select *, since < $1::timestamptz - ${AGED} as aged from (
               select l.account, coalesce(e.data->>'withdrawalId', e.data->>'payoutId', e.data->>'disputeId', e.data->>'refundId', e.stream) as about,
                      min(l.at) as since, min(l.position) as position,
                      (case when l.account in ('payouts-in-transit', 'suspense') then -1 else 1 end * sum(l.delta))::bigint as "amountMicroUsd"
                 from journal_line l join event e using (position)
                where l.account in ('bank:in-transit', 'disputes:held', 'payouts-in-transit', 'suspense')
                group by 1, 2 having sum(l.delta) <> 0) as open
              order by since, position`,
      values: [now],
    });
    type Row = Omit<OpenItems['items'][number], 'since' | 'ageDays'> & { since: Date };
    return {
      items: (rows as Row[]).map(({ since, ...row }) => ({
        ...row,
        since: since.toISOString(),
        ageDays: Math.max(0, Math.floor((now.getTime() - since.getTime()) / DAY_MS)),
      })),
    };
  }

  override async lateFacts(limit: number): Promise<LateFacts> {
    const { rows } = await this.database.pool.query({
      name: 'late-facts',
      // Cash alone comes late: what the provider tells has a date of its own, and what we do is recorded as it happens.
      text: `with closed as (
               select data->>'month' as month, (data->>'lastPosition')::bigint as last_position,
                      ((data->>'month') || '-01')::timestamp at time zone 'UTC' as began from event where type = 'PeriodClosed'),
             told as (
               select f.*, coalesce(e.data->>'at', e.data->>'grantedAt')::timestamptz as own_date
                 from cash_fact f join event e using (position)
                where f.position > (select min(last_position) from closed))
             select c.month, t.position, t.fact, t.about, t.own_date as at, t.at as "postedAt", t.amount_micro_usd as "amountMicroUsd"
               from told t join closed c on t.own_date >= c.began and t.own_date < c.began + interval '1 month'
              where t.position > c.last_position order by t.position desc limit $1`,
      values: [limit],
    });
    type Row = Omit<LateFacts['items'][number], 'at' | 'postedAt'> & { at: Date; postedAt: Date };
    return {
      items: (rows as Row[]).map(({ at, postedAt, ...row }) => ({
        ...row,
        at: at.toISOString(),
        postedAt: postedAt.toISOString(),
      })),
    };
  }
}
