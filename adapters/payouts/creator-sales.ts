/** Raw SQL: lists and sums share one subquery, which selects the sales that were not undone. */
import type { CreatorDashboard, Sale, SalesPoint } from '../../application/payouts/contract.js';
import { releasedAt } from '../../domain/payouts/policy.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter, prepared } from '../platform/database/database.js';
import { COUNTRY } from './postgres-earnings.js';

const NOT_RETURNED = `
  select * from earning sale
   where sale.creator_id = $1 and sale.credits_used > 0
     and not exists (select 1 from earning undone where undone.purchase_id = sale.purchase_id and undone.credits_used < 0)`;

const compared = (now: string, before: string): string =>
  `json_build_object('current', ${now}, 'previous', ${before})`;
const sumsOf = (column: string): string =>
  compared(
    `coalesce(sum(${column}) filter (where recent), 0)`,
    `coalesce(sum(${column}) filter (where not recent), 0)`,
  );

export class CreatorSalesQueries extends DatabaseAdapter {
  /** Returns one point for each of the last `days` days, up to the day of `now`. */
  async points(creatorId: string, days: number, now: Date): Promise<SalesPoint[]> {
    const { rows } = await this.database.pool.query(
      prepared(
        'sales-points',
        `select to_char(day, 'YYYY-MM-DD') as date, count(s.position)::int as downloads,
                    coalesce(sum(s.share_micro_usd), 0)::bigint as "revenueMicroUsd"
               from generate_series(($3::timestamptz at time zone 'UTC')::date - ($2::int - 1), ($3::timestamptz at time zone 'UTC')::date, interval '1 day') as day
               left join (${NOT_RETURNED} and sale.at >= (($3::timestamptz at time zone 'UTC')::date - ($2::int - 1))::timestamp at time zone 'UTC') s
                 on (s.at at time zone 'UTC')::date = day::date
              group by day order by day`,
        [creatorId, days, now],
      ),
    );
    return rows as SalesPoint[];
  }

  /** Lists a creator's sales, newest first. @param now decides which holds are over */
  async list(creatorId: string, { limit, cursor }: { limit: number; cursor?: string }, now: Date) {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const { rows } = await this.database.pool.query(
      prepared(
        'sales-list',
        `select sale.position, sale.purchase_id as id, sale.at as "createdAt", sale.sample_id as "sampleId", t.title as "sampleTitle", p.title as "packTitle",
                    sale.credits_used as "creditsUsed", ${COUNTRY} as country, sale.share_micro_usd as "amountMicroUsd",
                    coalesce(case when u.erased_at is null then nullif(trim(u.display_name), '') end, 'User ' || left(sale.buyer_id, 8)) as "buyerName"
               from (${NOT_RETURNED}) sale
               left join sample t using (sample_id)
               left join pack p on p.pack_id = t.pack_id
               left join user_account u on u.user_id = sale.buyer_id
              where $2::bigint is null or sale.position < $2
              order by sale.position desc limit $3`,
        [creatorId, before, limit + 1],
      ),
    );
    const found = rows as (Omit<Sale, 'createdAt' | 'heldUntil'> & { position: number; createdAt: Date })[];
    const { shown, nextCursor } = pageOf(found, limit, ({ position }) => [position]);
    return {
      items: shown.map(({ position: _, createdAt, ...sale }) => ({
        ...sale,
        createdAt: createdAt.toISOString(),
        heldUntil:
          sale.amountMicroUsd > 0 && releasedAt(createdAt) > now ? releasedAt(createdAt).toISOString() : null,
      })),
      nextCursor,
    };
  }

  async compared(creatorId: string, days: number, now: Date) {
    const { rows } = await this.database.pool.query(
      prepared(
        'sales-compared',
        `with bounds as (
               select $3::timestamptz - make_interval(days => $2::int) as middle, $3::timestamptz - make_interval(days => 2 * $2::int) as start
             ), sold as (
               select s.*, s.at > middle as recent from (${NOT_RETURNED}) s, bounds where s.at > start
             ), packs_then as (
               -- The last change of each pack up to then.
               select count(*) filter (where last.type = 'PackPublished')::int as packs
                 from bounds, pack p
                 cross join lateral (select e.type from event e
                                      where e.stream = 'pack-' || p.pack_id and e.recorded_at <= middle
                                        and e.type in ('PackPublished', 'PackUnpublished', 'PackDeleted', 'PackTakenDown')
                                      order by e.version desc limit 1) as last
                where p.creator_id = $1
             )
             select ${sumsOf('share_micro_usd')} as "salesMicroUsd", ${sumsOf('credits_used')} as "creditsUsed",
                    ${compared('count(*) filter (where recent)', 'count(*) filter (where not recent)')} as downloads,
                    ${compared(`(select count(*) from pack where creator_id = $1 and status = 'published')`, '(select packs from packs_then)')} as "activePacks"
               from sold`,
        [creatorId, days, now],
      ),
    );
    return rows[0] as Pick<CreatorDashboard, 'salesMicroUsd' | 'downloads' | 'activePacks' | 'creditsUsed'>;
  }
}
