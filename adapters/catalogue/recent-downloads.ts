/** Raw SQL about recent downloads: sums over sets, to join in other statements. `now` is a parameter such as `$1`. */
import { TRENDING_DAYS } from '../../application/catalogue/values.js';

/** Rows of `id` and `downloads` for packs or samples in the last `TRENDING_DAYS`. */
export const thisWeekBy = (column: 'pack_id' | 'sample_id', now: string): string =>
  `(select ${column} as id, sum(downloads)::int as downloads from download_hour
     where hour > ${now}::timestamptz - interval '${TRENDING_DAYS} days' group by ${column})`;

/** Genres whose downloads grew from the week before to the last seven days, largest growth first. `$1` is now. */
export const GROWING_GENRES = `
  select p.genre
    from (select pack_id,
                 sum(downloads) filter (where hour > $1::timestamptz - interval '${TRENDING_DAYS} days') as lately,
                 sum(downloads) filter (where hour <= $1::timestamptz - interval '${TRENDING_DAYS} days') as before
            from download_hour where hour > $1::timestamptz - interval '${2 * TRENDING_DAYS} days' group by pack_id) as d
    join pack p on p.pack_id = d.pack_id and p.listed
   group by p.genre
  having coalesce(sum(d.lately), 0) > coalesce(sum(d.before), 0)
   order by coalesce(sum(d.lately), 0) - coalesce(sum(d.before), 0) desc, p.genre`;
