/** Raw SQL: it sums up lines of the journal, and joins the JSON of the log. */
import { Injectable } from '@nestjs/common';
import type { LateFacts, OpenItems } from '../../application/ledger/contract.js';
import { OpenBookQueries } from '../../application/ledger/queries.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';
import { OPEN_ITEMS } from './cash-checks.js';
import { AGED } from './check-terms.js';

const DAY_MS = 86_400_000;

@Injectable()
export class PostgresOpenBookQueries implements OpenBookQueries {
  constructor(private readonly database: Database) {}

  openItems(now: Date): Promise<OpenItems> {
    return this.#open(now, 'open-items', '');
  }

  inSuspense(now: Date): Promise<OpenItems> {
    return this.#open(now, 'items-in-suspense', `where account like 'suspense%'`);
  }

  async #open(now: Date, name: string, where: string): Promise<OpenItems> {
    const { rows } = await this.database.long.query({
      name,
      text: `select account, about, since, position, coalesce(reason, '') as reason, since < $1::timestamptz - ${AGED} as aged,
                    case when account in ('payouts-in-transit', 'suspense') then -balance
                         when account like 'suspense:%' then 0 else balance end as "amountMicroUsd"
               from (${OPEN_ITEMS}) as open ${where}
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

  async lateFacts({ limit, cursor }: { limit: number; cursor?: string }): Promise<LateFacts> {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const { rows } = await this.database.long.query({
      name: 'late-facts',
      // Cash alone comes late: what the provider tells has a date of its own, and what we do is recorded as it happens.
      text: `with closed as (
               select data->>'month' as month, (data->>'lastPosition')::bigint as last_position,
                      ((data->>'month') || '-01')::timestamp at time zone 'UTC' as began from readable_event where type = 'PeriodClosed')
             select c.month, f.position, f.fact, f.about, f.earlier_month_at as at, f.at as "postedAt", f.amount_micro_usd as "amountMicroUsd"
               from cash_fact f
               join closed c on f.earlier_month_at >= c.began and f.earlier_month_at < c.began + interval '1 month'
              where f.earlier_month_at is not null and f.position > c.last_position and ($1::bigint is null or f.position < $1)
              order by f.position desc limit $2`,
      values: [before, limit + 1],
    });
    type Row = Omit<LateFacts['items'][number], 'at' | 'postedAt'> & { at: Date; postedAt: Date };
    const { shown, nextCursor } = pageOf(rows as Row[], limit, ({ position }) => [position]);
    return {
      items: shown.map(({ at, postedAt, ...row }) => ({
        ...row,
        at: at.toISOString(),
        postedAt: postedAt.toISOString(),
      })),
      nextCursor,
    };
  }
}
