/** Raw SQL: joins the views, plays and saves of each sample with the number of its sales. */
import {
  SEARCH_FEWEST_FINDS,
  type ReachedSample,
  type ReachQuery,
  type SampleReach,
  type SearchesThatFound,
} from '../../application/payouts/contract.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter, prepared } from '../platform/database/database.js';
import { NOT_RETURNED } from './creator-sales.js';

/**
 * SQL condition: a time is in the days from $2 to $3 (UTC), both included. The time precedes the condition and
 * replaces `%s`.
 */
const IN_DAYS = `>= $2::date::timestamp at time zone 'UTC' and %s < ($3::date + 1)::timestamp at time zone 'UTC'`;
const inDays = (time: string): string => `${time} ${IN_DAYS.replace('%s', time)}`;

export class CreatorReachQueries extends DatabaseAdapter {
  async samples(creatorId: string, { from, to, limit, cursor }: ReachQuery): Promise<SampleReach> {
    const [after] = decodeCursor(cursor, ['integer']) ?? [0];
    const { rows } = await this.database.pool.query<ReachedSample & { place: number }>(
      prepared(
        'creator-reach',
        `with steps as (
           select r.sample_id, sum(r.views)::int as views, sum(r.plays)::int as plays, sum(r.saves)::int as saves
             from pack p join sample t using (pack_id) join sample_reach r using (sample_id)
            where p.creator_id = $1 and ${inDays('r.day')}
            group by r.sample_id
         ), sold as (
           select sale.sample_id, count(*)::int as downloads
             from (${NOT_RETURNED}) sale where ${inDays('sale.at')} group by sale.sample_id
         ), placed as (
           select t.sample_id as id, t.title, p.title as pack, coalesce(views, 0) as views, coalesce(plays, 0) as plays,
                  coalesce(saves, 0) as saves, coalesce(downloads, 0) as downloads,
                  row_number() over (order by coalesce(downloads, 0) desc, coalesce(plays, 0) desc,
                                     coalesce(views, 0) desc, t.sample_id) as place
             from steps full join sold using (sample_id)
             join sample t using (sample_id) join pack p using (pack_id)
            where p.creator_id = $1
         )
         select * from placed where place > $4 order by place limit $5`,
        [creatorId, from, to, after, limit + 1],
      ),
    );
    const { shown, nextCursor } = pageOf(rows, limit, ({ place }) => [place]);
    return { items: shown.map(({ place: _, ...sample }) => sample), nextCursor };
  }

  async searches(creatorId: string, { from, to }: { from: string; to: string }): Promise<SearchesThatFound> {
    const { rows } = await this.database.pool.query<SearchesThatFound['items'][number]>(
      prepared(
        'creator-searches',
        `select term, sum(finds)::int as finds from creator_find
          where creator_id = $1 and ${inDays('day')}
          group by term having sum(finds) >= $4 order by finds desc, term limit 50`,
        [creatorId, from, to, SEARCH_FEWEST_FINDS],
      ),
    );
    return { items: rows };
  }
}
