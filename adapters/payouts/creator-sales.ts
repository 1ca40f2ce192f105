/** Raw SQL: lists and sums share one subquery, which selects the sales that were not undone. */
import type {
  CreatorDashboard,
  Sale,
  SalesGroup,
  SalesPoint,
  SalesReport,
  SalesReportQuery,
  SoldGroup,
} from '../../application/payouts/contract.js';
import { releasedAt } from '../../domain/payouts/policy.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter, prepared } from '../platform/database/database.js';
import { COUNTRY } from './postgres-earnings.js';

/** SQL for the sales of the creator `$1` that were not undone. */
export const NOT_RETURNED = `
  select * from earning sale
   where sale.creator_id = $1 and sale.credits_used > 0
     and not exists (select 1 from earning undone where undone.purchase_id = sale.purchase_id and undone.creator_id = sale.creator_id and undone.credits_used < 0)`;

type Figure = 'downloads' | 'credits' | 'share';
type Start = '' | 'before_' | 'all_' | 'all_before_';
type ReportRow = Record<`${Start}${Figure}`, number> &
  Pick<SoldGroup, 'id' | 'pack' | 'heardBy' | 'savedBy'> & { place: number; title: string | null };

const soldIn = (row: ReportRow | undefined, start: Start) => ({
  downloads: row?.[`${start}downloads`] ?? 0,
  creditsUsed: row?.[`${start}credits`] ?? 0,
  shareMicroUsd: row?.[`${start}share`] ?? 0,
});

const GROUPS: Record<SalesGroup, string> = {
  sample: 'sample_id',
  pack: 'pack_id',
  day: `to_char(day, 'YYYY-MM-DD')`,
};
const NAMED: Record<SalesGroup, string> = {
  sample: 'left join sample t on t.sample_id = g.id left join pack p on p.pack_id = t.pack_id',
  pack: 'left join pack p on p.pack_id = g.id',
  day: '',
};
const TITLES: Record<SalesGroup, string> = {
  sample: `t.title, p.title as pack,
    (select count(*) from listening_entry where entry_id = g.id)::int as "heardBy",
    (select count(*) from saved_item where item_id = g.id)::int as "savedBy"`,
  pack: `p.title, null as pack, null::int as "heardBy", null::int as "savedBy"`,
  day: `null as title, null as pack, null::int as "heardBy", null::int as "savedBy"`,
};
const figures = (filter: string, start: string): string => `
  count(*) filter (where ${filter})::int as ${start}downloads,
  coalesce(sum(credits_used) filter (where ${filter}), 0)::int as ${start}credits,
  coalesce(sum(share_micro_usd) filter (where ${filter}), 0)::bigint as ${start}share`;

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
                    coalesce(case when u.erased_at is null and h.user_id is null then nullif(regexp_replace(trim(u.display_name), '^(\\S+)\\s+(?:.*\\s)?(\\S)\\S*$', '\\1 \\2.'), '') end, 'User ' || left(sale.buyer_id, 8)) as "buyerName"
               from (${NOT_RETURNED}) sale
               left join sample t using (sample_id)
               left join pack p on p.pack_id = t.pack_id
               left join user_account u on u.user_id = sale.buyer_id
               left join hidden_buyer h on h.user_id = sale.buyer_id
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

  /** Sums the sales of some days by sample, pack or day. */
  async report(creatorId: string, query: SalesReportQuery): Promise<SalesReport> {
    const { by, from, to, before = null, limit, cursor } = query;
    const [after] = decodeCursor(cursor, ['integer']) ?? [0];
    const { rows } = await this.database.pool.query<ReportRow>(
      prepared(
        `sales-report-${by}`,
        `with sold as (
           select sale.sample_id, t.pack_id, sale.credits_used, sale.share_micro_usd,
                  case when recent then day else day + ($2::date - $4::date) end as day, recent
             from (${NOT_RETURNED}) sale left join sample t using (sample_id)
            cross join lateral (select (sale.at at time zone 'UTC')::date as day) on_day
            cross join lateral (select day between $2::date and $3::date as recent) in_period
            where recent or day between $4::date and $4::date + ($3::date - $2::date)
         ), groups as (
           select ${GROUPS[by]} as id, ${figures('recent', '')}, ${figures('not recent', 'before_')}
             from sold group by ${GROUPS[by]}
         ), placed as (
           select *, row_number() over (order by ${by === 'day' ? 'id' : 'share desc, before_share desc, id'}) as place,
                  sum(downloads) over ()::int as all_downloads, sum(credits) over ()::int as all_credits,
                  sum(share) over ()::bigint as all_share, sum(before_downloads) over ()::int as all_before_downloads,
                  sum(before_credits) over ()::int as all_before_credits, sum(before_share) over ()::bigint as all_before_share
             from groups
         )
         select g.*, ${TITLES[by]} from placed g ${NAMED[by]} where place > $5 order by place limit $6`,
        [creatorId, from, to, before, after, limit + 1],
      ),
    );
    const { shown, nextCursor } = pageOf(rows, limit, ({ place }) => [place]);
    const previous = (row: ReportRow | undefined, start: '' | 'all_') =>
      before === null ? null : soldIn(row, `${start}before_`);
    return {
      items: shown.map((row) => ({
        ...soldIn(row, ''),
        id: row.id,
        title: row.title ?? row.id,
        pack: row.pack,
        previous: previous(row, ''),
        heardBy: row.heardBy,
        savedBy: row.savedBy,
      })),
      totals: { ...soldIn(rows[0], 'all_'), previous: previous(rows[0], 'all_') },
      nextCursor,
    };
  }

  async isHidden(buyerId: string): Promise<boolean> {
    const row = await this.database.db
      .selectFrom('hidden_buyer')
      .select('user_id')
      .where('user_id', '=', buyerId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Hides the name of a buyer from creators, or shows it again. */
  async hide(buyerId: string, isHidden: boolean): Promise<void> {
    const { db } = this.database;
    await (isHidden
      ? db
          .insertInto('hidden_buyer')
          .values({ user_id: buyerId })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      : db.deleteFrom('hidden_buyer').where('user_id', '=', buyerId).execute());
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
